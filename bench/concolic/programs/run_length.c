// purpose: PackBits runs are unpacked into a picture whose rows are then looked at
#include <plumb/plumb.h>

enum { kWidth = 8, kHeight = 3 };

static int unpack(const signed char* in, int size, unsigned char* out, int limit) {
  int at = 0, written = 0;
  while (at < size && written < limit) {
    int n = in[at++];
    if (n >= 0) {
      for (int i = 0; i <= n; i++) {
        if (at == size || written == limit) return -1;
        out[written++] = (unsigned char)in[at++];
      }
    } else if (n != -128) {
      if (at == size) return -2;
      if (written - n + 1 > limit) return -3;
      for (int i = 0; i <= -n; i++) out[written++] = (unsigned char)in[at];
      at++;
    }
  }
  return written;
}

int main(void) {
  signed char packed[10];
  unsigned char picture[kWidth * kHeight] = {0};
  plumb_symbolic(packed, sizeof packed, "packed");
  int size = unpack(packed, sizeof packed, picture, sizeof picture);
  if (size < 0) return -size;
  if (size != sizeof picture) return 4;
  int dark_rows = 0;
  for (int y = 0; y < kHeight; y++) {
    int dark = 0;
    for (int x = 0; x < kWidth; x++) dark += picture[y * kWidth + x] > 200;
    if (dark == kWidth) dark_rows++;
    else if (dark > 0) return 5;
  }
  if (dark_rows == 3) return 6;
  plumb_check(dark_rows != 1 || picture[kWidth + 1] != 0xee);
  return 0;
}
