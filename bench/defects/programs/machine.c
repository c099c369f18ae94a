// purpose: a stack machine runs a program of bytes; one instruction does not test for an empty stack, one divides
// seeded: A=2 D=1
#include <plumb/plumb.h>

enum op { HALT, PUSH, ADD, DROP, STORE, DIVIDE, DOUBLE };

struct machine {
  int stack[4];
  int depth;
  int memory[4];
};

static int step(struct machine* m, unsigned op, unsigned operand) {
  switch (op) {
    case HALT:
      return 0;
    case PUSH:
      if (m->depth > 4) return -1;
      m->stack[m->depth++] = (int)operand;
      return 1;
    case ADD:
      if (m->depth < 2) return -1;
      m->depth--;
      m->stack[m->depth - 1] += m->stack[m->depth];
      return 1;
    case DROP:
      if (m->depth == 0) return -1;
      m->depth--;
      return 1;
    case STORE:
      if (m->depth == 0 || operand > 4) return -1;
      m->memory[operand] = m->stack[m->depth - 1];
      return 1;
    case DIVIDE:
      if (m->depth == 0) return -1;
      m->stack[m->depth - 1] = 100 / m->stack[m->depth - 1];
      return 1;
    case DOUBLE:
      if (m->depth == 0) return -1;
      m->stack[m->depth - 1] *= 2;
      return 1;
    default:
      return -1;
  }
}

int main(void) {
  unsigned char code[12];
  struct machine machine = {{0}, 0, {0}};
  plumb_symbolic(code, sizeof code, "code");
  for (int i = 0; i < 6; ++i)
    if (step(&machine, code[2 * i], code[2 * i + 1]) <= 0) break;
  return machine.depth;
}
