// purpose: strlen of null
// defect: null-dereference line 11
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *value = getenv("PLUMB_SURELY_NOT_SET");
#ifdef FIXED
  if (!value) value = "";
#endif
  return strlen(value) > 1000;
}
