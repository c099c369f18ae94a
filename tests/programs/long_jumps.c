// purpose: setjmp and longjmp: out of nested calls, in loops, between handlers, with the values that C promises
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct handler {
  struct handler* outer;
  jmp_buf place;
  int code;
};
static struct handler* handlers;

static void fail(int code) {
  struct handler* h = handlers;
  h->code = code;
  longjmp(h->place, code);
}

static int depth(int n, int limit) {
  int local[4] = {n, n + 1, n + 2, n + 3};
  if (n == limit) fail(n);
  return local[n % 4] + depth(n + 1, limit);
}

static int protect(int (*function)(int, int), int a, int b) {
  struct handler h;
  volatile int steps = 0;
  int before = a * 10 + b;
  h.outer = handlers;
  h.code = 0;
  handlers = &h;
  if (setjmp(h.place) == 0) {
    steps = 1;
    function(a, b);
    steps = 2;
  }
  handlers = h.outer;
  printf("before %d steps %d code %d\n", before, steps, h.code);
  return h.code;
}

static int nested(int a, int b) {
  int code = protect(depth, a, b);
  if (code > 3) fail(code + 100);
  return code;
}

static int plain(int a, int b) { return a + b; }

int main(void) {
  printf("%d\n", protect(plain, 1, 2));
  printf("%d\n", protect(depth, 0, 50));
  printf("%d\n", protect(nested, 0, 3));
  printf("%d\n", protect(nested, 0, 4));

  jmp_buf again;
  volatile int rounds = 0;
  int value = setjmp(again);
  printf("value %d rounds %d\n", value, rounds);
  if (rounds < 3) {
    rounds++;
    longjmp(again, rounds == 2 ? 0 : rounds);
  }
  for (volatile int i = 0; i < 100000; i++) {
    jmp_buf here;
    if (setjmp(here) == 0) longjmp(here, 1);
  }
  return rounds;
}
