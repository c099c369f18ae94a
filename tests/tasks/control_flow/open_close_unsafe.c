// A file is opened before it is used and closed once.
// Fails with: 1 1 1
#include <assert.h>
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

static int is_open;
static void open_file(void) {
  __VERIFIER_assert(!is_open);
  is_open = 1;
}
static void use_file(void) { __VERIFIER_assert(is_open); }
static void close_file(void) {
  __VERIFIER_assert(is_open);
  is_open = 0;
}

int main(void) {
  while (__VERIFIER_nondet_bool()) {
    open_file();
    int errors = 0;
    while (__VERIFIER_nondet_bool()) {
      use_file();
      if (__VERIFIER_nondet_bool()) {
        errors++;
        if (errors) close_file();
        break;
      }
    }
    close_file();
  }
  return 0;
}
