/*
 * Fatal signals: a record of the fault, then the default action, so that the way the process ends says the rest. A
 * handler that the program installs replaces these.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/resource.h>
#include <ucontext.h>

#include "../checks/internal.h"
#include "host.h"

#define SIGNAL_STACK 65536
static uint8_t signal_stack[SIGNAL_STACK] __attribute__((aligned(64)));

static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define WATCHED_COUNT (sizeof watched / sizeof watched[0])

static uintptr_t stack_top;   /* about where the first thread's stack began */
static uintptr_t stack_limit; /* its size at most */

static uintptr_t stack_pointer(const void* context) {
#if defined(__x86_64__)
  return (uintptr_t)((const ucontext_t*)context)->uc_mcontext.gregs[REG_RSP];
#elif defined(__i386__)
  return (uintptr_t)((const ucontext_t*)context)->uc_mcontext.gregs[REG_ESP];
#elif defined(__arm__)
  return (uintptr_t)((const ucontext_t*)context)->uc_mcontext.arm_sp;
#elif defined(__aarch64__)
  return (uintptr_t)((const ucontext_t*)context)->uc_mcontext.sp;
#elif defined(__riscv)
  return (uintptr_t)((const ucontext_t*)context)->uc_mcontext.__gregs[REG_SP];
#elif defined(__s390x__)
  return (uintptr_t)((const ucontext_t*)context)->uc_mcontext.gregs[15];
#else
  (void)context;
  return stack_top;
#endif
}

/* The stack grows into whatever its limit allows, so a fault just above or below that limit is an overflow; so is one
   with a stack pointer that is beyond it. */
static int is_overflow(uintptr_t address, uintptr_t pointer) {
  const uintptr_t slack = (uintptr_t)1 << 20;
  uintptr_t distance = stack_top - address;
  if (address < stack_top && distance <= stack_limit + slack && distance + slack >= stack_limit) return 1;
  return pointer < stack_top && stack_top - pointer + slack / 64 >= stack_limit && address + slack >= pointer &&
         address <= pointer + slack;
}

static uint32_t error_of(int signal, uintptr_t address, const void* context) {
  if (signal == SIGABRT) return PLUMB_ERROR_ABORT;
  if (signal == SIGSEGV || signal == SIGBUS)
    if (is_overflow(address, stack_pointer(context))) return PLUMB_ERROR_STACK;
  return PLUMB_ERROR_SIGNAL;
}

/* The signal is blocked in its handler: raised again, it comes when the handler returns. */
static void on_fatal_signal(int signal_number, siginfo_t* information, void* context) {
  /* A signal that was sent, not caused, has no address. */
  uintptr_t address = information->si_code > 0 ? (uintptr_t)information->si_addr : 0;
  if (signal_number == SIGSEGV && address != 0 && plumb_cover_fault(&address)) return;
  if (plumb_is_traced) {
    plumb_recording = 0;
    plumb_shared->fault_address_low = (uint32_t)address;
    plumb_shared->fault_address_high = (uint32_t)((uint64_t)address >> 32);
    plumb_record_error(error_of(signal_number, address, context), 0);
  }
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

int plumb_is_handled(int signal_number) {
  struct sigaction action;
  if (sigaction(signal_number, 0, &action) != 0) return 0;
  if ((action.sa_flags & SA_SIGINFO) != 0) return action.sa_sigaction != on_fatal_signal;
  return action.sa_handler != SIG_DFL;
}

void plumb_watch_signals(void) {
  struct rlimit limit;
  struct sigaction action;
  stack_t stack;
  size_t i;
  stack_top = (uintptr_t)__builtin_frame_address(0);
  stack_limit = (uintptr_t)1 << 23;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < UINTPTR_MAX / 2) stack_limit = (uintptr_t)limit.rlim_cur;
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  stack.ss_flags = 0;
  if (sigaltstack(&stack, 0) != 0) return;
  action.sa_sigaction = on_fatal_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (i = 0; i < WATCHED_COUNT; ++i) sigaction(watched[i], &action, 0);
}
