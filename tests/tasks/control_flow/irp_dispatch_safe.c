// A request is completed once or passed on once, on every way through a driver.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

enum { PENDING = 259, SUCCESS = 0, FAILURE = -1 };
static int completed, passed_on, is_locked;

static void complete_request(void) {
  __VERIFIER_assert(!completed && !passed_on);
  completed = 1;
}
static int call_driver(void) {
  __VERIFIER_assert(!completed && !passed_on);
  passed_on = 1;
  int status = __VERIFIER_nondet_int();
  return status == SUCCESS || status == PENDING ? status : FAILURE;
}
static void acquire(void) {
  __VERIFIER_assert(!is_locked);
  is_locked = 1;
}
static void release(void) {
  __VERIFIER_assert(is_locked);
  is_locked = 0;
}

static int dispatch_power(void) {
  acquire();
  int minor = __VERIFIER_nondet_int();
  if (minor == 2) {
    if (__VERIFIER_nondet_bool()) {
      release();
      complete_request();
      return SUCCESS;
    }
  } else if (minor > 9) {
    release();
    complete_request();
    return FAILURE;
  }
  release();
  return call_driver();
}
static int dispatch_control(void) {
  int code = __VERIFIER_nondet_int();
  switch (code) {
    case 720896: complete_request(); return SUCCESS;
    case 720900:
      acquire();
      if (__VERIFIER_nondet_bool()) {
        release();
        return call_driver();
      }
      release();
      break;
    default: return call_driver();
  }
  complete_request();
  return FAILURE;
}

int main(void) {
  while (__VERIFIER_nondet_bool()) {
    completed = passed_on = 0;
    int status = __VERIFIER_nondet_bool() ? dispatch_power() : dispatch_control();
    __VERIFIER_assert(completed || passed_on);
    __VERIFIER_assert(!is_locked);
    if (status == PENDING) __VERIFIER_assert(passed_on);
  }
  return 0;
}
