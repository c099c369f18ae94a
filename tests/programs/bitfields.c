// purpose: bit-fields: signed and unsigned, packed, straddling their unit, zero width, increments and assignment values
#include <stdio.h>
#include <string.h>

struct plain {
  int s3 : 3;
  unsigned u5 : 5;
  signed char c2 : 2;
  unsigned : 0;
  unsigned long long wide : 40;
  _Bool flag : 1;
};

struct __attribute__((packed)) straddling {
  unsigned a : 7;
  unsigned b : 11;
  int c : 17;
  unsigned long long d : 45;
};

static void dump(const char *name, const void *data, size_t size) {
  const unsigned char *bytes = data;
  printf("%s", name);
  for (size_t i = 0; i < size; ++i) printf(" %02x", bytes[i]);
  printf("\n");
}

int main(void) {
  struct plain p;
  memset(&p, 0, sizeof p);
  for (int i = -5; i < 6; ++i) {
    p.s3 = (signed)((unsigned)i & 7) > 3 ? ((i & 7) - 8) : (i & 7);
    p.u5 = (unsigned)i & 31;
    printf("%d %u %d\n", p.s3, p.u5, p.s3 < (int)p.u5);
  }
  p.u5 = 30;
  printf("%u", p.u5++);
  printf(" %u", p.u5++);
  printf(" %u\n", p.u5);
  p.wide = 0xffffffffffull;
  p.wide += 2;
  p.flag = 42;
  p.c2 = -2;
  printf("%llu %d %d %zu\n", (unsigned long long)p.wide, p.flag, p.c2, sizeof p);
  struct straddling s;
  memset(&s, 0xaa, sizeof s);
  s.b = 0x7ff;
  dump("b", &s, sizeof s);
  s.c = -1;
  s.a = 0;
  dump("c", &s, sizeof s);
  s.d = 0x123456789abull;
  dump("d", &s, sizeof s);
  s.c = 65535;
  printf("%u %u %d %llx %zu\n", s.a, s.b, s.c, (unsigned long long)s.d, sizeof s);
  return (s.b = 0x1ff) & 0xff;
}
