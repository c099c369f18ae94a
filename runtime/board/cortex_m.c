/*
 * Cortex-M: faults and the deadline end a run. The handlers do not use the stack that the program has left them, which
 * may be at its end: they begin where the loop's ends, and return from the exception to a fresh frame there. So a run
 * can end in any state of the program.
 *
 * The names of the handlers are those of CMSIS; startup code that has the usual vector table needs nothing more.
 * SysTick_Handler and PendSV_Handler are weak.
 */
#include "loop.h"

#if defined(__arm__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

#define REGISTER(address) (*(volatile uint32_t*)(uintptr_t)(address))
#define SYSTICK_CONTROL REGISTER(0xe000e010u)
#define SYSTICK_RELOAD REGISTER(0xe000e014u)
#define SYSTICK_VALUE REGISTER(0xe000e018u)
#define INTERRUPT_STATE REGISTER(0xe000ed04u) /* ICSR */
#define RESET_CONTROL REGISTER(0xe000ed0cu)   /* AIRCR */
#define CONFIGURATION REGISTER(0xe000ed14u)   /* CCR */
#define PRIORITY_3 REGISTER(0xe000ed20u)      /* SHPR3: PendSV, SysTick */
#define HANDLER_CONTROL REGISTER(0xe000ed24u) /* SHCSR */
#define FAULT_STATUS REGISTER(0xe000ed28u)    /* CFSR */
#define HARD_FAULT_STATUS REGISTER(0xe000ed2cu)
#define MEMORY_FAULT_ADDRESS REGISTER(0xe000ed34u)
#define BUS_FAULT_ADDRESS REGISTER(0xe000ed38u)
#define MPU_TYPE REGISTER(0xe000ed90u)
#define MPU_CONTROL REGISTER(0xe000ed94u)
#define MPU_NUMBER REGISTER(0xe000ed98u)
#define MPU_BASE REGISTER(0xe000ed9cu)
#define MPU_SIZE REGISTER(0xe000eda0u)
#define FLOAT_CONTROL REGISTER(0xe000ef34u) /* FPCCR */

#define PEND_PENDSV (1u << 28)
#define RETURNS_TO_BASE (1u << 11)
#define GUARD_BITS 8u
#define GUARD_BYTES (1u << GUARD_BITS)

#if __ARM_ARCH >= 7 && !defined(__ARM_ARCH_8M_BASE__)
#define HAS_FAULT_STATUS 1
#else
#define HAS_FAULT_STATUS 0
#endif

static uint32_t ticks_a_millisecond;

/* How the run ends once the processor is back in the loop's mode. */
static struct {
  uint32_t how;
  uint32_t code;
  uint32_t address;
  uint32_t error;
} fate;

/* --- Time --- */

__attribute__((weak)) void SysTick_Handler(void);
__attribute__((weak)) void SysTick_Handler(void) { plumb_board_tick(1); }

uint32_t plumb_microseconds(void) {
  uint32_t milliseconds;
  uint32_t value;
  if (ticks_a_millisecond == 0) return plumb_milliseconds * 1000;
  do {
    milliseconds = plumb_milliseconds;
    value = SYSTICK_VALUE;
  } while (milliseconds != plumb_milliseconds);
  return milliseconds * 1000 + (ticks_a_millisecond - 1 - value) * 1000 / ticks_a_millisecond;
}

/* PendSV has the lowest priority: it comes when no other interrupt is being handled. */
int plumb_end_from_interrupt(void) {
  INTERRUPT_STATE = PEND_PENDSV;
  return 1;
}

/* --- Back to the loop --- */

/* In thread mode, on the loop's stack. */
__attribute__((used, noreturn)) static void come_back(void) {
  plumb_leave_run(fate.how, fate.code, fate.address, fate.error);
}

/* From a handler on the loop's stack: an exception frame of its own, below. `exception_return`: as the handler got it.
 */
__attribute__((used, noreturn)) static void return_to_loop(uint32_t exception_return) {
  uint32_t* frame = (uint32_t*)((plumb_loop_stack - 256) & ~(uintptr_t)7);
  uint32_t i;
#if HAS_FAULT_STATUS
  /* A handler of the program's own was interrupted: it would stay active for ever. */
  if ((INTERRUPT_STATE & RETURNS_TO_BASE) == 0) RESET_CONTROL = 0x05fa0004u;
#endif
#if defined(__ARM_FP)
  FLOAT_CONTROL &= ~1u; /* no registers of the run are saved any more */
#endif
  for (i = 0; i < 6; ++i) frame[i] = 0;
  frame[6] = (uint32_t)(uintptr_t)come_back & ~1u;
  frame[7] = 1u << 24; /* Thumb */
  /* To thread mode, the main stack, a frame without floating point. */
  exception_return = (exception_return | 0x18u) & ~4u;
  __asm__ volatile(
      "movs r2, #0\n"
      "msr control, r2\n"
      "mov sp, %0\n"
      "dsb\n"
      "isb\n"
      "bx %1\n" ::"r"(frame),
      "r"(exception_return)
      : "r2", "memory");
  __builtin_unreachable();
}

/* Gives whether there is a run to end. */
__attribute__((used)) static uint32_t on_deadline(void) {
  if (!plumb_is_running) return 0;
  fate.how = PLUMB_WIRE_TIMED_OUT;
  fate.code = 0;
  fate.address = 0;
  fate.error = 0;
  return 1;
}

void PendSV_Handler(void);
__attribute__((weak, naked)) void PendSV_Handler(void) {
  __asm__ volatile(
      "push {r4, lr}\n"
      "bl %c0\n"
      "cmp r0, #0\n"
      "bne 1f\n"
      "pop {r4, pc}\n"
      "1: ldr r0, [sp, #4]\n"
      "ldr r1, =%c2\n"
      "ldr r1, [r1]\n"
      "mov sp, r1\n"
      "bl %c1\n"
      ".ltorg\n" ::"i"(on_deadline),
      "i"(return_to_loop), "i"(&plumb_loop_stack));
}

/* --- Faults --- */

#if HAS_FAULT_STATUS

static uintptr_t guard; /* begins there; 0: none */

static int is_overflow(uint32_t status, uint32_t stack, uint32_t address, int has_address) {
  const uint32_t stacking = 1u << 4 | 1u << 12 | 1u << 20; /* of an exception's frame; beyond the limit (ARMv8-M) */
  if (plumb_board->stack_begin == 0) return 0;
  if ((status & stacking) != 0) return 1;
  if (guard != 0 && has_address && address - guard < GUARD_BYTES) return 1;
  return stack < plumb_board->stack_begin + GUARD_BYTES;
}

static uint32_t signal_of(uint32_t status) {
  const uint32_t undefined = 0xfu << 16;
  const uint32_t unaligned = 1u << 24;
  const uint32_t division = 1u << 25;
  if ((status & division) != 0) return PLUMB_SIGFPE;
  if ((status & undefined) != 0) return PLUMB_SIGILL;
  return (status & unaligned) != 0 ? PLUMB_SIGBUS : PLUMB_SIGSEGV;
}

static void judge(uint32_t stack) {
  const uint32_t memory_address_is_valid = 1u << 7;
  const uint32_t bus_address_is_valid = 1u << 15;
  uint32_t status = FAULT_STATUS;
  int has_address = (status & (memory_address_is_valid | bus_address_is_valid)) != 0;
  if (has_address) fate.address = (status & memory_address_is_valid) != 0 ? MEMORY_FAULT_ADDRESS : BUS_FAULT_ADDRESS;
  fate.code = signal_of(status);
  if (is_overflow(status, stack, fate.address, has_address)) {
    fate.error = PLUMB_ERROR_STACK;
    fate.code = PLUMB_SIGSEGV;
    if (!has_address) fate.address = stack;
  }
  FAULT_STATUS = status;
  HARD_FAULT_STATUS = HARD_FAULT_STATUS;
}

#else

/* ARMv6-M and the baseline of ARMv8-M have one fault, which does not say why. */
static void judge(uint32_t stack) {
  fate.code = PLUMB_SIGSEGV;
  if (plumb_board->stack_begin != 0 && stack < plumb_board->stack_begin + GUARD_BYTES) fate.error = PLUMB_ERROR_STACK;
}

#endif

/* On the loop's stack; `stack`: the program's. A fault of the loop itself, or while a frame is being sent, starts the
   board again: the server then has the run made once more. */
__attribute__((used, noreturn)) static void on_fault(uint32_t stack, uint32_t exception_return) {
  if (!plumb_is_running || plumb_is_sending)
    for (;;) RESET_CONTROL = 0x05fa0004u;
  fate.how = PLUMB_WIRE_SIGNALLED;
  fate.address = 0;
  fate.error = PLUMB_ERROR_SIGNAL;
  judge(stack);
  return_to_loop(exception_return);
}

void HardFault_Handler(void);
__attribute__((naked)) void HardFault_Handler(void) {
  __asm__ volatile(
      "movs r0, #4\n"
      "mov r1, lr\n"
      "tst r0, r1\n"
      "bne 1f\n"
      "mrs r0, msp\n"
      "b 2f\n"
      "1: mrs r0, psp\n"
      "2: ldr r2, =%c1\n"
      "ldr r2, [r2]\n"
      "cmp r2, #0\n"
      "beq 3f\n"
      "mov sp, r2\n"
      "3: bl %c0\n"
      ".ltorg\n" ::"i"(on_fault),
      "i"(&plumb_loop_stack));
}

void MemManage_Handler(void) __attribute__((alias("HardFault_Handler")));
void BusFault_Handler(void) __attribute__((alias("HardFault_Handler")));
void UsageFault_Handler(void) __attribute__((alias("HardFault_Handler")));

/* --- Begin --- */

#if __ARM_ARCH == 7

/* A region that nobody may access, in front of the stack's end. Elsewhere memory is as it was. */
static int guard_stack(void) {
  const uint32_t is_execute_never = 1u << 28;
  uint32_t number = MPU_TYPE >> 8 & 255;
  if (number == 0 || (MPU_CONTROL & 1) != 0) return 0;
  guard = (plumb_board->stack_begin + GUARD_BYTES - 1) & ~(uintptr_t)(GUARD_BYTES - 1);
  MPU_NUMBER = number - 1;
  MPU_BASE = (uint32_t)guard;
  MPU_SIZE = is_execute_never | (GUARD_BITS - 1) << 1 | 1;
  MPU_CONTROL = 5; /* on, with the usual map behind it */
  __asm__ volatile("dsb\nisb" ::: "memory");
  return 1;
}

#elif defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)

static int guard_stack(void) {
  uint32_t limit = ((uint32_t)plumb_board->stack_begin + 7) & ~7u;
  __asm__ volatile("msr msplim, %0" ::"r"(limit));
  return 1;
}

#else

static int guard_stack(void) { return 0; }

#endif

int plumb_begin_processor(void) {
  if (plumb_board->tick_frequency != 0) {
    ticks_a_millisecond = plumb_board->tick_frequency / 1000;
    SYSTICK_RELOAD = ticks_a_millisecond - 1;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = 7; /* on, with interrupts, by the processor's clock */
  }
  PRIORITY_3 = (PRIORITY_3 & 0xff00ffffu) | 0x00ff0000u;
#if HAS_FAULT_STATUS
  HANDLER_CONTROL |= 7u << 16; /* memory, bus and usage faults are told apart */
  CONFIGURATION |= 1u << 4;    /* division by zero is one */
#endif
  plumb_restore_processor();
  return plumb_board->stack_begin != 0 && guard_stack();
}

void plumb_restore_processor(void) {
#if HAS_FAULT_STATUS
  __asm__ volatile("msr basepri, %0" ::"r"(0));
#endif
  __asm__ volatile("cpsie i" ::: "memory");
}

#endif
