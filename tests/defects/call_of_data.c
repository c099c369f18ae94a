// purpose: a call through a pointer that points to data
// defect: invalid-call line 16
#include <stddef.h>
#include <stdint.h>

static int zero(void) { return 0; }
static int data[4] = {1, 2, 3, 4};

int main(void) {
#ifdef FIXED
  uintptr_t address = (uintptr_t)zero;
#else
  uintptr_t address = (uintptr_t)data;
#endif
  int (*function)(void) = (int (*)(void))address;
  return function() + data[0] - 1;
}
