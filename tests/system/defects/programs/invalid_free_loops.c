// purpose: the pointer that walks over the digits is the one that is released
// defect: invalid-free line 22
// input: digits=hex:333a00
#include <plumb/plumb.h>
#include <stdlib.h>

static char* copy;

int main(void) {
  char digits[3];
  plumb_symbolic(digits, sizeof digits, "digits");
  copy = malloc(4);
  if (copy == NULL) return 1;
  for (int i = 0; i < 3; ++i) copy[i] = digits[i];
  copy[3] = '\0';
  char* at = copy;
  int value = 0;
  for (; *at >= '0' && *at <= '9'; ++at) value = value * 10 + (*at - '0');
#ifdef FIXED
  at = copy;
#endif
  free(at);
  return value > 99;
}
