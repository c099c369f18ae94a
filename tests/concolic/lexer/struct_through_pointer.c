// purpose: the state of the lexer is kept in a struct that is reached through a pointer parameter
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

struct lexer {
  int line;
  int state;
  unsigned short depth;
  unsigned char is_quoted;
};

static void step(struct lexer* lexer, char c) {
  if (c == '\n') lexer->line++;
  if (c == '"') lexer->is_quoted ^= 1;
  if (c == '[' && lexer->state == 0) { lexer->state = 1; lexer->depth++; }
  if (c == '(' && lexer->state == 1) { lexer->state = 2; lexer->depth++; }
  if (c == '{' && lexer->state == 2) { lexer->state = 3; lexer->depth++; }
  if (c == '~' && lexer->state == 3) lexer->state = 4;
  if (c == 'a' && lexer->state == 4) lexer->state = 5;
  if (c == 'x' && lexer->state == 5) lexer->state = 6;
  if (c == '}' && lexer->state == 6) { lexer->state = 7; lexer->depth--; }
  if (c == ')' && lexer->state == 7) { lexer->state = 8; lexer->depth--; }
  if (c == ']' && lexer->state == 8) { lexer->state = 9; lexer->depth--; }
}

static int behind(const struct lexer* lexer) {
  int code = 0;
  input(&code, sizeof code, "code");
  if (lexer->line > 0 && lexer->is_quoted) return 1;
  if (code < 0) return 2;
  for (int i = 0; i < 4; i++)
    if (code == 100 + i * i) assert(i != 3);
  return 0;
}

static int foo(struct lexer* lexer) {
  char c, s[6];

  while (1) {
    input(&c, sizeof c, "c");
    input(s, sizeof s, "s");
    step(lexer, c);
    if (s[0] == 'r' && s[1] == 'e' && s[2] == 's' && s[3] == 'e' && s[4] == 't' && s[5] == 0 && lexer->state == 9)
      goto L;
  }
L:
  return behind(lexer);
}

int main(void) {
  struct lexer lexer = {0, 0, 0, 0};
  return foo(&lexer);
}
