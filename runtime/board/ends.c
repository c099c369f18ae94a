/*
 * How a program ends a run by itself. Instrumented code calls __plumb_exit() and the runtime's errors; the others are
 * for the C library's code. All but the first are weak: a board may have its own.
 */
#include "loop.h"

void abort(void);
void exit(int code);
void _exit(int code);
void __assert_func(const char* file, int line, const char* function, const char* expression);

/* Outside a run there is nothing to go back to. */
static PLUMB_NORETURN void stop(void) {
  for (;;) {
  }
}

void __plumb_exit(int code) {
  if (!plumb_is_running) stop();
  plumb_check_leaks();
  plumb_tell_waiting();
  plumb_leave_run(PLUMB_WIRE_EXITED, (uint32_t)code & 0xffu, 0, 0);
}

static PLUMB_NORETURN void fail(uint32_t error) {
  if (!plumb_is_running) stop();
  plumb_leave_run(PLUMB_WIRE_SIGNALLED, PLUMB_SIGABRT, 0, error);
}

__attribute__((weak)) void abort(void) { fail(PLUMB_ERROR_ABORT); }
__attribute__((weak)) void exit(int code) { __plumb_exit(code); }
__attribute__((weak)) void _exit(int code) { __plumb_exit(code); }
__attribute__((weak)) void __assert_func(const char* file, int line, const char* function, const char* expression) {
  (void)file, (void)line, (void)function, (void)expression;
  fail(PLUMB_ERROR_ASSERT);
}
