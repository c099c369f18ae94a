// A fill that begins behind the array, and touches nothing just behind it.
#include <string.h>

int main(void) {
  char bytes[16] = {0};
  memset(bytes + 12, 0, 4);
  return bytes[0];
}
