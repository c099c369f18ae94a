// purpose: unions as views of the same bytes, tagged unions, and anonymous members
#include <stdint.h>
#include <stdio.h>

union word {
  uint32_t whole;
  uint16_t half[2];
  uint8_t byte[4];
  float real;
};

union wide {
  double d;
  uint64_t u;
  struct { uint32_t low, high; };
};

struct tagged {
  enum { INTEGER, REAL, TEXT } tag;
  union {
    long integer;
    double real;
    const char *text;
  };
};

static void show(const struct tagged *value) {
  switch (value->tag) {
    case INTEGER: printf("%ld\n", value->integer); break;
    case REAL: printf("%.3f\n", value->real); break;
    case TEXT: printf("%s\n", value->text); break;
  }
}

int main(void) {
  union word w;
  w.whole = 0x12345678;
  printf("%x %x %x %x\n", w.half[0], w.half[1], w.byte[0], w.byte[3]);
  w.byte[1] = 0xff;
  printf("%x\n", w.whole);
  w.real = -1.5f;
  printf("%x %x\n", w.whole, w.byte[3]);
  w.half[1] = 0x4049;
  printf("%g\n", (double)w.real);
  union wide d = {.d = 1.0};
  printf("%llx %x %x\n", (unsigned long long)d.u, d.low, d.high);
  d.high |= 0x80000000u;
  printf("%g\n", d.d);
  struct tagged values[] = {{INTEGER, {.integer = -12}}, {REAL, {.real = 2.5}}, {TEXT, {.text = "text"}}};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) show(&values[i]);
  union wide copy = d;
  copy.low = 7;
  return (int)(copy.u % 251);
}
