// A fill that begins behind the array, and touches nothing just behind it.
// Fails with: no input
#include <string.h>

int main(void) {
  char bytes[16] = {0};
  memset(bytes + 20, 0, 4);
  return bytes[0];
}
