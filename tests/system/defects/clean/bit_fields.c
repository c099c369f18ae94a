// purpose: bit-fields at the end of a struct are read in units that may be wider than what is left of it
#include <plumb/plumb.h>
#include <stdlib.h>

struct flags {
  unsigned kind : 3;
  unsigned level : 5;
  signed offset : 7;
  unsigned is_last : 1;
  unsigned char tail;
};

struct __attribute__((packed)) dense {
  unsigned char head;
  unsigned a : 9;
  unsigned b : 11;
  unsigned c : 3;
};

int main(void) {
  unsigned input = plumb_symbolic_uint("input");
  struct flags* flags = calloc(2, sizeof *flags);
  struct dense* dense = malloc(sizeof *dense);
  if (flags == NULL || dense == NULL) return 1;
  flags[1].kind = input & 7u;
  flags[1].level = input >> 3 & 31u;
  flags[1].offset = (int)(input >> 8 & 63u);
  flags[1].is_last = 1;
  dense->head = 1;
  dense->a = input & 0x1ffu;
  dense->b = 5;
  dense->c = 3;
  int code = 0;
  if (flags[1].kind == 5 && flags[1].offset > 20) code = 2;
  if (dense->c == 3 && dense->a == 300) code = 3;
  free(flags);
  free(dense);
  return code;
}
