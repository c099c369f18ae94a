// purpose: the width of a column is zero only when there are borders and more of them than room
// defect: division-by-zero line 14
// input: width=4 borders=4 is_framed=1
#include <plumb/plumb.h>

static int columns(int width, int borders, int is_framed) {
  int room = width;
  if (is_framed) {
    if (borders <= width) room = width - borders;
  }
#ifdef FIXED
  if (room == 0) return 0;
#endif
  return 80 % room;
}

int main(void) {
  int width = plumb_symbolic_uchar("width");
  if (width == 0) return 1;
  return columns(width, plumb_symbolic_uchar("borders"), plumb_symbolic_int("is_framed")) > 3;
}
