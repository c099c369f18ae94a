// purpose: records of type, length and value are read from a message into two buffers of the heap
// seeded: A=2
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 1, DATA = 2, END = 0 };

struct message {
  char* name;
  unsigned name_length;
  unsigned char* data;
  unsigned data_length;
};

static int read_records(struct message* message, const unsigned char* bytes, unsigned size) {
  unsigned at = 0;
  while (at + 2 <= size) {
    unsigned type = bytes[at], length = bytes[at + 1];
    at += 2;
    if (type == END) return 1;
    if (length > size - at) return 0;
    if (type == NAME) {
      if (length > 3) return 0;
      memcpy(message->name, bytes + at, length);
      message->name[length] = '\0';
      message->name_length = length;
    } else if (type == DATA) {
      if (message->data_length + length > 4) return 0;
      memcpy(message->data + message->data_length, bytes + at, length);
      message->data_length += length;
      if (length > 1 && bytes[at] == 0xff) message->data[message->data_length] = 0;
    } else {
      return 0;
    }
    at += length;
  }
  return 0;
}

int main(void) {
  unsigned char bytes[8];
  char* name = malloc(3);
  unsigned char* data = calloc(4, 1);
  if (name == NULL || data == NULL) return 1;
  struct message message = {name, 0, data, 0};
  plumb_symbolic(bytes, sizeof bytes, "bytes");
  int is_read = read_records(&message, bytes, sizeof bytes);
  free(name);
  free(data);
  return is_read;
}
