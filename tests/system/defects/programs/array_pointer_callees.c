// purpose: a message is copied into the caller's buffer with the length that stands in its own header
// defect: array-pointer-out-of-bounds line 13
// input: message=hex:07414243444546474849
#include <plumb/plumb.h>
#include <string.h>

static unsigned receive(unsigned char* payload, const unsigned char* message) {
  unsigned length = message[0];
  if (length > 9) return 0;
#ifdef FIXED
  if (length > 6) length = 6;
#endif
  memcpy(payload, message + 1, length);
  return length;
}

int main(void) {
  unsigned char message[10], payload[6] = {0};
  plumb_symbolic(message, sizeof message, "message");
  unsigned length = receive(payload, message);
  return length > 0 && payload[0] == 'A';
}
