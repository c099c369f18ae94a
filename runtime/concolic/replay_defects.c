/*
 * The report of a replay with checks (runtime/checks/report.h). Linked into builds with checks alone; replay.c calls it
 * by weak names. All work is done without the C library's streams and heap, since it happens inside of both.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "../checks/internal.h"
#include "../checks/kernel.h"
#include "../checks/report.h"

#define LONGEST_NAME 4096u
#define SIGNAL_STACK 65536

static char file[LONGEST_NAME];
static uintptr_t bias; /* of addresses in the executable */
static uint8_t signal_stack[SIGNAL_STACK] __attribute__((aligned(64)));

/* --- One line --- */

struct line {
  size_t size;
  char text[2048];
};

static void put_character(struct line* line, char character) {
  if (line->size < sizeof line->text) line->text[line->size++] = character;
}

static void put_number(struct line* line, uint64_t number, uint32_t base) {
  char digits[24];
  size_t count = 0;
  put_character(line, ' ');
  if (base == 16) {
    put_character(line, '0');
    put_character(line, 'x');
  }
  do digits[count++] = "0123456789abcdef"[number % base];
  while ((number /= base) != 0);
  while (count > 0) put_character(line, digits[--count]);
}

static void put_stack(struct line* line, const struct plumb_stack* stack) {
  uint32_t i;
  put_number(line, stack->depth, 10);
  for (i = 0; i < stack->depth; ++i)
    put_number(line, plumb_is_program(stack->frames[i]) ? (uintptr_t)stack->frames[i] - bias : 0, 16);
}

static void put_record(struct line* line, const struct plumb_defect_record* defect) {
  static const char head[] = "defect";
  uintptr_t less = defect->object_kind == PLUMB_OBJECT_GLOBAL ? bias : 0;
  memcpy(line->text, head, sizeof head - 1);
  line->size = sizeof head - 1;
  put_number(line, defect->kind, 10);
  put_number(line, defect->site, 10);
  put_number(line, defect->access, 10);
  put_number(line, defect->object_kind, 10);
  put_number(line, (uintptr_t)(defect->address - less), 16);
  put_number(line, (uintptr_t)(defect->object_base - less), 16);
  put_number(line, defect->object_size, 16);
  put_number(line, defect->a, 16);
  put_number(line, defect->b, 16);
  put_stack(line, &defect->stack);
  put_stack(line, &defect->allocated);
  put_stack(line, &defect->freed);
  put_character(line, '\n');
}

/* --- Each defect once --- */

static struct told {
  uint32_t kind;
  uint32_t site;
  const void* frames[PLUMB_REPORT_FRAMES];
} told[PLUMB_REPORT_MOST];
static uint32_t told_count;
static char is_taken;

static struct told key_of(const struct plumb_defect_record* defect) {
  const struct plumb_stack* stack = defect->kind == PLUMB_DEFECT_LEAK ? &defect->allocated : &defect->stack;
  struct told key;
  uint32_t i;
  memset(&key, 0, sizeof key);
  key.kind = defect->kind;
  key.site = defect->site;
  for (i = 0; i < stack->depth && i < PLUMB_REPORT_FRAMES; ++i) key.frames[i] = stack->frames[i];
  return key;
}

static int is_new(const struct plumb_defect_record* defect) {
  struct told key = key_of(defect);
  int is_told = 0;
  uint32_t i;
  while (__atomic_test_and_set(&is_taken, __ATOMIC_ACQUIRE)) sched_yield();
  for (i = 0; i < told_count && !is_told; ++i) is_told = memcmp(&told[i], &key, sizeof key) == 0;
  if (told_count == PLUMB_REPORT_MOST) is_told = 1;
  if (!is_told) told[told_count++] = key;
  __atomic_clear(&is_taken, __ATOMIC_RELEASE);
  return !is_told;
}

/* The file is opened each time: programs close descriptors that they do not know. System calls are made directly, since
   calls of the functions count as the program's (replay_failing.c). */
void plumb_tell_defect(const struct plumb_defect_record* defect) {
  int error = errno;
  if (file[0] != 0 && is_new(defect)) {
    long descriptor = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    struct line line;
    put_record(&line, defect);
    if (descriptor >= 0) {
      syscall(SYS_write, descriptor, line.text, line.size);
      syscall(SYS_close, descriptor);
    }
  }
  errno = error;
}

void plumb_tell_watched(uint32_t site, const void* address, uint32_t access, const void* base, size_t size,
                        uint32_t size_id) {
  (void)site, (void)address, (void)access, (void)base, (void)size, (void)size_id;
}

/* --- Faults of the machine --- */

#if defined(__x86_64__)
#define REGISTER(name) ((uintptr_t)((const ucontext_t*)context)->uc_mcontext.gregs[REG_R##name])
#elif defined(__i386__)
#define REGISTER(name) ((uintptr_t)(uint32_t)((const ucontext_t*)context)->uc_mcontext.gregs[REG_E##name])
#endif
#define PAGE_FAULT_WRITE 2
#define LOOKED_AT 512u

struct segment_question {
  uintptr_t address;
  int is_constant;
};

static int look_for_segment(struct dl_phdr_info* info, size_t size, void* data) {
  struct segment_question* question = data;
  uint32_t i;
  (void)size;
  for (i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* header = &info->dlpi_phdr[i];
    if ((header->p_type == PT_LOAD && (header->p_flags & PF_W) == 0) || header->p_type == PT_GNU_RELRO)
      question->is_constant |= question->address - (info->dlpi_addr + header->p_vaddr) < header->p_memsz;
  }
  return 0;
}

static int is_constant(uintptr_t address) {
  struct segment_question question;
  question.address = address;
  question.is_constant = 0;
  dl_iterate_phdr(look_for_segment, &question);
  return question.is_constant;
}

/* In a library's function, whose caller the frame pointers do not show: the first word of the stack that leads into the
   program will be where it returns to. */
static const void* program_address(uintptr_t code, uintptr_t stack, uintptr_t end) {
  uint32_t i;
  if (plumb_is_program((const void*)code)) return (const void*)(code + 1);
  for (i = 0; i < LOOKED_AT && stack < end && end - stack >= sizeof stack; ++i, stack += sizeof stack)
    if (plumb_is_program(*(const void* const*)stack)) return *(const void* const*)stack;
  return (const void*)(code + 1);
}

/* That the program accessed: a fault in the map is one of what was looked up. */
static uintptr_t fault_address(const siginfo_t* information) {
  uintptr_t address = (uintptr_t)information->si_addr;
  plumb_cover_fault(&address);
  return address;
}

static uint32_t kind_of(int signal_number, const siginfo_t* information, int is_write) {
  const int of_kernel = 0x80; /* no address: it was none that a machine can have */
  uintptr_t address = fault_address(information);
  if (signal_number == SIGFPE) return PLUMB_DEFECT_DIVISION;
  if (information->si_code == of_kernel) return PLUMB_DEFECT_WILD;
  if (address < PLUMB_NULL_SIZE) return PLUMB_DEFECT_NULL;
  return is_write && is_constant(address) ? PLUMB_DEFECT_CONSTANT : PLUMB_DEFECT_WILD;
}

/* The stack may end where addresses do, so that the first pages come next if one counts on. */
static int is_near_stack(uintptr_t address, uintptr_t stack) {
  const uintptr_t near = (uintptr_t)1 << 16;
  return (address < stack ? stack - address : address - stack) < near;
}

/* Before the default action of a fatal signal. An overflow of the stack is none of ours. */
void plumb_tell_fault(int signal_number, const siginfo_t* information, const void* context);
void plumb_tell_fault(int signal_number, const siginfo_t* information, const void* context) {
#if defined(REGISTER)
  struct plumb_defect_record defect;
  struct plumb_caller caller;
  uintptr_t stack = REGISTER(SP);
  uintptr_t end = plumb_stack_end(stack);
  int is_write = (((const ucontext_t*)context)->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITE) != 0;
  if (information->si_code <= 0) return;
  if (signal_number != SIGSEGV && signal_number != SIGBUS && signal_number != SIGFPE) return;
  if (signal_number == SIGSEGV && is_near_stack((uintptr_t)information->si_addr, stack)) return;
  memset(&defect, 0, sizeof defect);
  defect.kind = kind_of(signal_number, information, is_write && signal_number == SIGSEGV);
  defect.access = is_write && signal_number != SIGFPE ? PLUMB_ACCESS_WRITE : 0;
  defect.address = signal_number == SIGFPE ? 0 : fault_address(information);
  defect.a = (uint64_t)signal_number;
  caller.address = program_address(REGISTER(IP), stack, end);
  caller.frame = (const void* const*)REGISTER(BP);
  plumb_take_stack_above(&defect.stack, caller, stack);
  plumb_tell_defect(&defect);
#else
  (void)signal_number, (void)information, (void)context;
#endif
}

/* --- Before main --- */

static int take_bias(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)size, (void)unused;
  bias = info->dlpi_addr;
  return 1; /* the executable comes first */
}

static void limit_memory(const char* amount) {
  struct rlimit limit;
  uintptr_t taken = plumb_address_space();
  unsigned long long allowed = amount != 0 ? strtoull(amount, 0, 10) : 0;
  if (allowed == 0 || taken == 0 || getrlimit(RLIMIT_AS, &limit) != 0) return;
  if (allowed > (unsigned long long)RLIM_INFINITY - taken) return;
  limit.rlim_cur = (rlim_t)(taken + allowed);
  if (limit.rlim_cur < limit.rlim_max) limit.rlim_max = limit.rlim_cur;
  setrlimit(RLIMIT_AS, &limit);
}

/* In the constructor of replay.c. */
void plumb_begin_checked_replay(void);
void plumb_begin_checked_replay(void) {
  const char* name = getenv(PLUMB_REPORT_VARIABLE);
  stack_t stack;
  if (name != 0 && strlen(name) < sizeof file) memcpy(file, name, strlen(name) + 1);
  unsetenv(PLUMB_REPORT_VARIABLE);
  dl_iterate_phdr(take_bias, 0);
  plumb_stack_limit = PLUMB_STACK_DEPTH;
  plumb_begin_checks();
  limit_memory(getenv(PLUMB_REPORT_MEMORY));
  unsetenv(PLUMB_REPORT_MEMORY);
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  stack.ss_flags = 0;
  sigaltstack(&stack, 0);
}
