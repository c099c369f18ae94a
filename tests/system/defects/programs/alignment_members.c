// purpose: a record is laid over a packet behind a name of any length
// defect: misaligned line 22
// checks: default,alignment
// input: length=3
#include <plumb/plumb.h>
#include <stdlib.h>

struct record {
  int id, amount;
};

int main(void) {
  unsigned length = plumb_symbolic_uchar("length");
  char* packet = calloc(32, 1);
  if (packet == NULL) return 1;
#ifdef FIXED
  length = (length + 3) / 4 * 4;
#endif
  int amount = 0;
  if (length <= 16) {
    struct record* record = (struct record*)(packet + length);
    amount = record->amount;
  }
  free(packet);
  return amount;
}
