// puts() counts the end of the line, fputs() says nothing of the length.
// Fails with: no input
#include <stdio.h>
void reach_error(void);

int main(void) {
  int line = puts("four");
  int text = fputs("four", stderr);
  if (line != 4 || text < 0) reach_error();
  return 0;
}
