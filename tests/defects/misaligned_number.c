// purpose: a number is read where the previous field ends, not where its type allows
// checks: default,alignment
// defect: misaligned line 13
#include <string.h>

int main(void) {
  int storage[3] = {0};
  char *message = (char *)storage;
  int length;
#ifdef FIXED
  memcpy(&length, message + 3, sizeof length);
#else
  length = *(int *)(message + 3);
#endif
  return length;
}
