// Results of several calls are added up.
// Fails with: 0
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
  int total = 0;
  for (int line = 0; line < 3; line++) total += fprintf(stdout, "%d: ", line);
  if (__VERIFIER_nondet_int() != 0) total -= (int)fwrite("xy", 1, 2, stderr) - 2;
  total += fputc('\n', stdout) == '\n';
  if (!(total > 10)) reach_error();
  return 0;
}
