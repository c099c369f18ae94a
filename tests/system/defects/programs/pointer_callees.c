// purpose: a picture of input-dependent size is read row by row with the height in the place of the width
// defect: pointer-out-of-bounds line 17
// input: width=2 height=5 x=1 y=4
#include <plumb/plumb.h>
#include <stdlib.h>

struct picture {
  unsigned width, height;
  unsigned char* pixels;
};

static int pixel(const struct picture* picture, unsigned x, unsigned y) {
  if (x >= picture->width || y >= picture->height) return -1;
#ifdef FIXED
  return picture->pixels[y * picture->width + x];
#else
  return picture->pixels[y * picture->height + x];
#endif
}

int main(void) {
  struct picture picture = {plumb_symbolic_uchar("width"), plumb_symbolic_uchar("height"), NULL};
  if (picture.width == 0 || picture.width > 8 || picture.height == 0 || picture.height > 8) return 1;
  picture.pixels = calloc(picture.width, picture.height);
  if (picture.pixels == NULL) return 2;
  int found = pixel(&picture, plumb_symbolic_uchar("x"), plumb_symbolic_uchar("y"));
  free(picture.pixels);
  return found > 0;
}
