// purpose: eight instructions on a tape of bytes, with loops that must match; the program and its input are both unknown
#include <plumb/plumb.h>

enum { kProgram = 9, kTape = 4, kSteps = 80 };

int main(void) {
  char program[kProgram];
  unsigned char tape[kTape] = {0}, input[2], output = 0;
  plumb_symbolic(program, sizeof program, "program");
  plumb_symbolic(input, sizeof input, "input");
  int match[kProgram], stack[kProgram], depth = 0, size = 0;
  for (; size < kProgram && program[size] != 0; size++) {
    if (program[size] == '[') {
      stack[depth++] = size;
    } else if (program[size] == ']') {
      if (depth == 0) return 1;
      int open = stack[--depth];
      match[open] = size;
      match[size] = open;
    }
  }
  if (depth != 0) return 2;
  int head = 0, read = 0, written = 0, loops = 0;
  for (int pc = 0, step = 0; pc < size; pc++, step++) {
    if (step == kSteps) return 3;
    switch (program[pc]) {
      case '>':
        if (++head == kTape) return 4;
        break;
      case '<':
        if (--head < 0) return 5;
        break;
      case '+':
        tape[head]++;
        break;
      case '-':
        tape[head]--;
        break;
      case ',':
        if (read == 2) return 6;
        tape[head] = input[read++];
        break;
      case '.':
        output = tape[head];
        written++;
        break;
      case '[':
        if (tape[head] == 0) pc = match[pc];
        break;
      case ']':
        if (tape[head] != 0) pc = match[pc], loops++;
        break;
      default:
        return 7;
    }
  }
  if (written == 0) return 8;
  plumb_check(!(loops == 2 && output == 3));
  return 0;
}
