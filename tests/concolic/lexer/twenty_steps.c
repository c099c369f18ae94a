// purpose: twenty steps lead to the label
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

static int behind(void) {
  unsigned char pair[2] = {0, 0};
  input(pair, sizeof pair, "pair");
  if (pair[0] < 100) return 1;
  if (pair[1] > pair[0]) assert(pair[0] + pair[1] != 300);
  return 0;
}

static int foo(void) {
  char c, s[6];
  int state = 0;

  while (1) {
    input(&c, sizeof c, "c");
    input(s, sizeof s, "s");
    if (c == '[' && state == 0) state = 1;
    if (c == '(' && state == 1) state = 2;
    if (c == '{' && state == 2) state = 3;
    if (c == '~' && state == 3) state = 4;
    if (c == 'a' && state == 4) state = 5;
    if (c == 'x' && state == 5) state = 6;
    if (c == '<' && state == 6) state = 7;
    if (c == 'b' && state == 7) state = 8;
    if (c == 'y' && state == 8) state = 9;
    if (c == '|' && state == 9) state = 10;
    if (c == '/' && state == 10) state = 11;
    if (c == '0' && state == 11) state = 12;
    if (c == '1' && state == 12) state = 13;
    if (c == '@' && state == 13) state = 14;
    if (c == 'q' && state == 14) state = 15;
    if (c == '>' && state == 15) state = 16;
    if (c == '}' && state == 16) state = 17;
    if (c == ')' && state == 17) state = 18;
    if (c == ']' && state == 18) state = 19;
    if (c == '$' && state == 19) state = 20;
    if (s[0] == 'r' && s[1] == 'e' && s[2] == 's' && s[3] == 'e' && s[4] == 't' && s[5] == 0 && state == 20) goto L;
  }
L:
  return behind();
}

int main(void) { return foo(); }
