#include "bare.h"

void plumb_restore_globals(void) {
  uint32_t i;
  for (i = 0; i < __plumb_image_count; ++i) {
    const struct plumb_image* image = &__plumb_images[i];
    const uint8_t* from = image->image;
    uint8_t* to = image->base;
    size_t j;
    for (j = 0; j < image->size; ++j) to[j] = from != 0 ? from[j] : 0;
  }
}
