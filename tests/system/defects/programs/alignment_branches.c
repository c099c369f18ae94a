// purpose: a packed header is followed by numbers; only old files with a comment put them at an odd place
// defect: misaligned line 21
// checks: default,alignment
// input: version=1 has_comment=1
#include <plumb/plumb.h>
#include <stdlib.h>

int main(void) {
  int version = plumb_symbolic_int("version"), has_comment = plumb_symbolic_int("has_comment");
  unsigned char* file = calloc(32, 1);
  if (file == NULL) return 1;
  unsigned start = 8;
  if (version == 1) {
#ifdef FIXED
    if (has_comment) start += 4;
#else
    if (has_comment) start += 5;
#endif
  }
  short* numbers = (short*)(file + start);
  int first = numbers[2];
  free(file);
  return first;
}
