// purpose: labels as values: an interpreter with a dispatch table, and label addresses in static tables
#include <stdio.h>

enum { PUSH, ADD, MULTIPLY, DUPLICATE, DECREMENT, JUMP_IF, SWAP, PRINT, STOP };

static int run(const int *code) {
  static void *const labels[] = {&&push, &&add, &&multiply, &&duplicate, &&decrement, &&jump_if, &&swap, &&print, &&stop};
  int stack[16], depth = 0;
  const int *at = code;
#define NEXT goto *labels[*at++]
  NEXT;
push:
  stack[depth++] = *at++;
  NEXT;
add:
  --depth;
  stack[depth - 1] += stack[depth];
  NEXT;
multiply:
  --depth;
  stack[depth - 1] *= stack[depth];
  NEXT;
duplicate:
  stack[depth] = stack[depth - 1];
  ++depth;
  NEXT;
decrement:
  --stack[depth - 1];
  NEXT;
jump_if:
  if (stack[depth - 1])
    at = code + *at;
  else
    ++at;
  NEXT;
swap: {
  int top = stack[depth - 1];
  stack[depth - 1] = stack[depth - 2];
  stack[depth - 2] = top;
  NEXT;
}
print:
  printf("%d\n", stack[depth - 1]);
  NEXT;
stop:
  return stack[depth - 1];
}

int main(void) {
  const int arithmetic[] = {PUSH, 6, PUSH, 7, MULTIPLY, PRINT, PUSH, -2, ADD, STOP};
  const int countdown[] = {PUSH, 0, PUSH, 5, SWAP, PUSH, 10, ADD, SWAP, DECREMENT, JUMP_IF, 4, SWAP, PRINT, STOP};
  printf("%d\n", run(arithmetic));
  printf("%d\n", run(countdown));
  void *where = run(arithmetic) == 40 ? &&yes : &&no;
  goto *where;
yes:
  puts("yes");
  return 1;
no:
  puts("no");
  return 2;
}
