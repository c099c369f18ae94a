// purpose: the lexer is a switch over its state with a switch over the character in some of the cases
#include <plumb/plumb.h>
#include <assert.h>
#include <stdlib.h>

static void input(void* memory, size_t size, const char* name) {
#ifdef __PLUMB__
  plumb_symbolic(memory, size, name);
#else
  (void)name;
  if (fread(memory, 1, size, stdin) != size) exit(0);
#endif
}

static int behind(int escapes) {
  short weight = 0;
  input(&weight, sizeof weight, "weight");
  for (int i = 0; i < 3; i++) {
    if (weight < 0) return 1;
    if (weight == 21 << i) assert(escapes == 0 || weight != 84);
    weight = (short)(weight - 5);
  }
  return 0;
}

static int foo(void) {
  char c, s[6];
  int state = 0, escapes = 0;

  while (1) {
    input(&c, sizeof c, "c");
    input(s, sizeof s, "s");
    switch (state) {
      case 0:
        if (c == '[') state = 1;
        break;
      case 1:
        switch (c) {
          case '(': state = 2; break;
          case '\\': escapes = 1; break;
          case ']': state = 0; break;
        }
        break;
      case 2:
        if (c == '{') state = 3;
        break;
      case 3:
        switch (c) {
          case '~': state = 4; break;
          case '\\': escapes ^= 1; break;
          case '}': state = 2; break;
          default: break;
        }
        break;
      case 4:
        if (c == 'a') state = 5;
        break;
      case 5:
        state = c == 'x' ? 6 : 5;
        break;
      case 6:
        if (c == '}') state = 7;
        break;
      case 7:
        switch (c) {
          case ')': state = 8; break;
          case '[': state = 1; break;
        }
        break;
      case 8:
        if (c == ']') state = 9;
        break;
    }
    if (s[0] == 'r' && s[1] == 'e' && s[2] == 's' && s[3] == 'e' && s[4] == 't' && s[5] == 0 && state == 9) goto L;
  }
L:
  return behind(escapes);
}

int main(void) { return foo(); }
