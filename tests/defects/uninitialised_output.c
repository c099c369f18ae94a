// purpose: a record is written to the outside with a byte that nobody set
// checks: default,uninitialised
// defect: uninitialised-read line 12
#include <unistd.h>

int main(void) {
  char record[4];
  for (int i = 0; i < 3; ++i) record[i] = '.';
#ifdef FIXED
  record[3] = '\n';
#endif
  return write(1, record, sizeof record) != sizeof record;
}
