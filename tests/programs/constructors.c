// purpose: constructor and destructor attributes with priorities, atexit in reverse order, exit from a nested call
#include <stdio.h>
#include <stdlib.h>

static int stage;
__attribute__((constructor(201))) static void second(void) { stage = stage * 10 + 2; }
__attribute__((constructor(200))) static void first(void) { stage = stage * 10 + 1; }
__attribute__((constructor)) static void third(void) { stage = stage * 10 + 3; }
__attribute__((destructor)) static void last(void) { printf("destructor %d\n", stage); }
static void one(void) { printf("atexit one\n"); }
static void two(void) {
  printf("atexit two\n");
  ++stage;
}
static void three(void) { printf("atexit three\n"); }

static void leave(int depth) {
  if (depth == 0) exit(stage % 100);
  leave(depth - 1);
  printf("never\n");
}

int main(void) {
  printf("%d\n", stage);
  atexit(one);
  atexit(two);
  atexit(three);
  leave(3);
  return 0;
}
