// purpose: a buffer grows by realloc from nothing, is made smaller and given back
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
  char* data;
  size_t used, capacity;
};

static int append(struct buffer* buffer, const char* text, size_t size) {
  if (size > buffer->capacity - buffer->used) {
    size_t wanted = 2 * buffer->capacity + size;
    char* grown = realloc(buffer->data, wanted);
    if (grown == NULL) return 0;
    buffer->data = grown;
    buffer->capacity = wanted;
  }
  memcpy(buffer->data + buffer->used, text, size);
  buffer->used += size;
  return 1;
}

int main(void) {
  struct buffer buffer = {NULL, 0, 0};
  size_t size = 1 + plumb_symbolic_uchar("size") % 11;
  for (int i = 0; i < 40; ++i)
    if (!append(&buffer, "twelve bytes", size)) return 1;
  if (buffer.used > 300) {
    char* less = realloc(buffer.data, 10);
    if (less != NULL) buffer.data = less;
    if (memcmp(buffer.data, "twelve b", 8) != 0) return 2;
  }
  free(buffer.data);
  return 0;
}
