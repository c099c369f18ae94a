// purpose: a copy of the words without the blanks at its end is as long as the words, the zero behind them is not counted
// defect: pointer-out-of-bounds line 19
// input: line=hex:6162630000
#include <plumb/plumb.h>
#include <stdlib.h>

static char* trimmed(const char* text) {
  size_t length = 0;
  for (size_t i = 0; text[i] != '\0'; ++i)
    if (text[i] != ' ') length = i + 1;
  if (length == 0) return NULL;
#ifdef FIXED
  char* copy = malloc(length + 1);
#else
  char* copy = malloc(length);
#endif
  if (copy == NULL) return NULL;
  for (size_t i = 0; i < length; ++i) copy[i] = text[i];
  copy[length] = '\0';
  return copy;
}

int main(void) {
  char line[5];
  plumb_symbolic(line, sizeof line, "line");
  line[4] = '\0';
  char* copy = trimmed(line);
  free(copy);
  return 0;
}
