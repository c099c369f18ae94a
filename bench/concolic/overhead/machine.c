// An interpreter of byte code. With SHARED, the input lies on the machine's stack meanwhile.
#include "overhead.h"

enum operation { kPush, kAdd, kMultiply, kSwap, kStore, kFetch, kDecrement, kJumpIfNotZero, kHalt };

static const unsigned char kCode[] = {kPush, 0, kStore, 1,                                         // sum = 0
                                      kFetch, 1, kFetch, 0, kPush, 3, kMultiply, kAdd, kStore, 1,  // sum += 3 * n
                                      kDecrement, 0, kFetch, 0, kJumpIfNotZero, 4, kHalt};

struct machine {
  unsigned stack[16], variables[4], top, pc;
};

static unsigned run(struct machine *m, const unsigned char *code) {
  for (;;) {
    switch ((enum operation)code[m->pc++]) {
      case kPush:
        m->stack[m->top++] = code[m->pc++];
        break;
      case kAdd:
        m->top--;
        m->stack[m->top - 1] += m->stack[m->top];
        break;
      case kMultiply:
        m->top--;
        m->stack[m->top - 1] *= m->stack[m->top];
        break;
      case kSwap: {
        unsigned x = m->stack[m->top - 1];
        m->stack[m->top - 1] = m->stack[m->top - 2];
        m->stack[m->top - 2] = x;
        break;
      }
      case kStore:
        m->variables[code[m->pc++]] = m->stack[--m->top];
        break;
      case kFetch:
        m->stack[m->top++] = m->variables[code[m->pc++]];
        break;
      case kDecrement:
        m->variables[code[m->pc++]]--;
        break;
      case kJumpIfNotZero: {
        unsigned to = code[m->pc++];
        if (m->stack[--m->top] != 0) m->pc = to;
        break;
      }
      case kHalt:
        return m->variables[1];
    }
  }
}

static unsigned work(unsigned start, unsigned input) {
  struct machine m = {{0}, {5000000 * start}, 0, 0};
  m.stack[m.top++] = input;
  return run(&m, kCode);
}
