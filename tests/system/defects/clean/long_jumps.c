// purpose: longjmp leaves frames without a return, many times, and the frames after it use their places
#include <plumb/plumb.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf handler;
static char* held;

static void parse(const char* text, int depth) {
  char copy[24];
  memset(copy, 'x', sizeof copy - 1);
  copy[sizeof copy - 1] = '\0';
  if (text[depth] == '(') {
    parse(text, depth + 1);
  } else if (text[depth] == '!') {
    longjmp(handler, depth + 1);
  }
  if (strlen(copy) != 23) abort();
}

int main(void) {
  char text[4];
  volatile int failures = 0;
  plumb_symbolic(text, sizeof text, "text");
  text[3] = '\0';
  for (volatile int i = 0; i < 300; ++i) {
    held = malloc(8);
    if (setjmp(handler) == 0)
      parse(text, 0);
    else
      failures++;
    free(held);
  }
  return failures > 0;
}
