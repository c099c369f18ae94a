// A function is chosen by a number and called through a pointer.
#include <assert.h>
extern void abort(void);
extern short __VERIFIER_nondet_short(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

static int add(int x, int y) { return x + y; }
static int subtract(int x, int y) { return x - y; }
struct operation {
  char name;
  int (*apply)(int, int);
};
static struct operation operations[] = {{'+', add}, {'-', subtract}};

int main(void) {
  int x = __VERIFIER_nondet_short(), y = __VERIFIER_nondet_short();
  char name = __VERIFIER_nondet_bool() ? '+' : '-';
  int result = 0;
  for (int i = 0; i < 2; i++)
    if (operations[i].name == name) result = operations[i].apply(x, y);
  __VERIFIER_assert(name == '+' ? result - y == x : result + y == x);
  return 0;
}
