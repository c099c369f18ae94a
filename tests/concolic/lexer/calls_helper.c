// purpose: each branch of the lexer calls a small helper that decides and counts
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

static int advance(int state, int wanted) { return state == wanted ? wanted + 1 : state; }

static int is_word(const char* s) {
  return s[0] == 'r' && s[1] == 'e' && s[2] == 's' && s[3] == 'e' && s[4] == 't' && s[5] == 0;
}

static int behind(void) {
  unsigned amount = 0;
  input(&amount, sizeof amount, "amount");
  if (amount > 500) return 1;
  int steps = 0;
  while (amount != 0) {
    amount = amount & 1 ? amount - 1 : amount / 2;
    steps++;
  }
  assert(steps < 15);
  return 0;
}

static int foo(void) {
  char c, s[6];
  int state = 0;

  while (1) {
    input(&c, sizeof c, "c");
    input(s, sizeof s, "s");
    if (c == '[') state = advance(state, 0);
    if (c == '(') state = advance(state, 1);
    if (c == '{') state = advance(state, 2);
    if (c == '~') state = advance(state, 3);
    if (c == 'a') state = advance(state, 4);
    if (c == 'x') state = advance(state, 5);
    if (c == '}') state = advance(state, 6);
    if (c == ')') state = advance(state, 7);
    if (c == ']') state = advance(state, 8);
    if (is_word(s) && state == 9) goto L;
  }
L:
  return behind();
}

int main(void) { return foo(); }
