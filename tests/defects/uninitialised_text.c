// purpose: a text without its end goes to a library function
// checks: uninitialised
// defect: uninitialised-read line 14
#include <stdio.h>
#include <string.h>

int main(void) {
  char name[16];
  memcpy(name, "plumb", 5);
#ifdef FIXED
  name[5] = '\0';
#endif

  return strlen(name) > 15;
}
