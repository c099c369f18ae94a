// purpose: a record is released by the reader if it is damaged, and by the writer if it is old
// defect: double-free line 25
// input: checksum=1 year=1999
#include <plumb/plumb.h>
#include <stdlib.h>

struct record {
  int checksum, year;
};

int main(void) {
  struct record* record = malloc(sizeof *record);
  if (record == NULL) return 1;
  int checksum = plumb_symbolic_int("checksum"), year = plumb_symbolic_int("year");
  int is_held = 1;
  if (checksum != 0) {
    free(record);
    is_held = 0;
  }
#ifdef FIXED
  if (year > 1990 && year < 2000 && is_held) {
#else
  if (year > 1990 && year < 2000) {
#endif
    free(record);
    is_held = 0;
  }
  if (is_held) free(record);
  return 0;
}
