// purpose: a program of several files, with static names that are the same in each and shared tentative variables
// files: many_files/stack.c many_files/counter.c
#include "many_files/parts.h"

#include <stdio.h>

int tentative;
static int hidden(int x) { return x + 1; }

int main(void) {
  struct stack s = {{0}, 0};
  for (int i = 0; i < 5; ++i) push(&s, hidden(i) * count());
  int top = pop(&s), under = pop(&s);
  printf("%d %d\n", top, under);
  printf("%d %d %d\n", tentative, shared_table[2], use_hidden(10));
  operations[1](&s, 70);
  top = pop(&s);
  printf("%d %d\n", top, s.depth);
  return hidden(use_hidden(1)) + tentative;
}
