// purpose: a table with a place for all but the first of what it is given
// defect: vla-size line 13
// checks: default,vla
#include <stdio.h>

int main(void) {
#ifdef FIXED
  int count = 2;
#else
  int count = 1;
#endif
  {
    char rest[count - 1];
    rest[0] = 'x';
    printf("%c\n", rest[0]);
  }
  return 0;
}
