// purpose: each branch of the lexer also writes an array, and the label depends on its content
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

static int behind(const unsigned char* seen) {
  int sum = 0, key = 0;
  input(&key, sizeof key, "key");
  for (int i = 0; i < 9; i++) {
    if (seen[i] == 0) return 0;
    sum += seen[i];
  }
  if (key > 1000) {
    if (key % 7 == 3) return 1;
    assert(key != 7777);
    return 2;
  }
  return sum;
}

static int foo(void) {
  char c, s[6];
  int state = 0;
  unsigned char seen[10] = {0};

  while (1) {
    input(&c, sizeof c, "c");
    input(s, sizeof s, "s");
    if (c == '[' && state == 0) { state = 1; seen[0] = (unsigned char)c; }
    if (c == '(' && state == 1) { state = 2; seen[1] = (unsigned char)(seen[0] ^ c); }
    if (c == '{' && state == 2) { state = 3; seen[2] = (unsigned char)c; }
    if (c == '~' && state == 3) { state = 4; seen[3] = (unsigned char)c; }
    if (c == 'a' && state == 4) { state = 5; seen[4] = (unsigned char)(c + 1); }
    if (c == 'x' && state == 5) { state = 6; seen[5] = (unsigned char)c; }
    if (c == '}' && state == 6) { state = 7; seen[6] = (unsigned char)c; }
    if (c == ')' && state == 7) { state = 8; seen[7] = seen[6]; }
    if (c == ']' && state == 8) { state = 9; seen[8] = (unsigned char)c; }
    if (s[0] == 'r' && s[1] == 'e' && s[2] == 's' && s[3] == 'e' && s[4] == 't' && s[5] == 0 && state == 9) goto L;
  }
L:
  return behind(seen);
}

int main(void) { return foo(); }
