// purpose: a second stack in the heap, between which and the first the program switches
#define _GNU_SOURCE
#include <plumb/plumb.h>
#include <stdlib.h>
#include <ucontext.h>
static ucontext_t main_c, other;
static int count;
static void body(int n) {
  int local[4] = {n};
  int *p = local;
  for (int i = 0; i < 3; ++i) {
    p[i % 4] += i;
    count += p[0];
    swapcontext(&other, &main_c);
  }
}
int main(void) {
  int n = plumb_symbolic_uchar("n");
  char *stack = malloc(65536);
  if (!stack) return 1;
  getcontext(&other);
  other.uc_stack.ss_sp = stack;
  other.uc_stack.ss_size = 65536;
  other.uc_link = &main_c;
  makecontext(&other, (void (*)(void))body, 1, n);
  for (int i = 0; i < 4; ++i) swapcontext(&main_c, &other);
  free(stack);
  return n == 5 ? count > 3 : 0;
}
