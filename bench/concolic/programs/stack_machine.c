// purpose: an interpreter of bytecode with a stack, jumps and a heap of cells; programs of a dozen bytes
#include <klee/klee.h>

enum { kPush = 1, kAdd, kSubtract, kMultiply, kDivide, kDup, kSwap, kJump, kJumpZero, kLoad, kStore, kPrint, kHalt };
enum { kCode = 12, kStack = 6, kCells = 4, kSteps = 40 };

int main(void) {
  unsigned char code[kCode];
  klee_make_symbolic(code, sizeof code, "code");
  int stack[kStack], cells[kCells] = {0}, depth = 0, pc = 0, printed = 0;
  for (int step = 0; step < kSteps; step++) {
    if (pc >= kCode) return 1;
    unsigned char op = code[pc++];
    int needs = op >= kAdd && op <= kDivide ? 2 : op == kDup || op == kJumpZero || op == kStore || op == kPrint ? 1 : op == kSwap ? 2 : 0;
    if (depth < needs) return 2;
    switch (op) {
      case kPush:
        if (pc >= kCode) return 1;
        if (depth == kStack) return 3;
        stack[depth++] = (signed char)code[pc++];
        break;
      case kAdd:
        depth--;
        stack[depth - 1] += stack[depth];
        break;
      case kSubtract:
        depth--;
        stack[depth - 1] -= stack[depth];
        break;
      case kMultiply:
        depth--;
        stack[depth - 1] = (short)(stack[depth - 1] * stack[depth]);
        break;
      case kDivide:
        depth--;
        stack[depth - 1] /= stack[depth]; /* nobody looks at the divisor */
        break;
      case kDup:
        if (depth == kStack) return 3;
        stack[depth] = stack[depth - 1];
        depth++;
        break;
      case kSwap: {
        int top = stack[depth - 1];
        stack[depth - 1] = stack[depth - 2];
        stack[depth - 2] = top;
        break;
      }
      case kJump:
        if (pc >= kCode) return 1;
        pc = code[pc];
        break;
      case kJumpZero:
        if (pc >= kCode) return 1;
        pc = stack[--depth] == 0 ? code[pc] : pc + 1;
        break;
      case kLoad:
        if (pc >= kCode) return 1;
        if (code[pc] >= kCells) return 4;
        if (depth == kStack) return 3;
        stack[depth++] = cells[code[pc++]];
        break;
      case kStore:
        if (pc >= kCode) return 1;
        if (code[pc] >= kCells) return 4;
        cells[code[pc++]] = stack[--depth];
        break;
      case kPrint:
        printed = printed * 10 + stack[--depth];
        break;
      case kHalt:
        if (printed == 42) return 42;
        klee_assert(!(cells[3] == 7 && printed == 12));
        return depth == 0 ? 0 : 5;
      default:
        return 6;
    }
  }
  return 7;
}
