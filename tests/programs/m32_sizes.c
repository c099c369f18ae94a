// purpose: 32-bit sizes, alignments and layouts
// flags: -m32
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct mixed { char c; double d; short s; long long l; void *p; };
struct nested { struct mixed m; char tail; };
struct bits { unsigned a : 20; unsigned long long b : 30; char c; };

int main(void) {
  printf("%u %u %u %u %u\n", (unsigned)sizeof(long), (unsigned)sizeof(void *), (unsigned)sizeof(size_t), (unsigned)sizeof(long long), (unsigned)sizeof(long double));
  printf("%u %u %u %u\n", (unsigned)sizeof(struct mixed), (unsigned)offsetof(struct mixed, d), (unsigned)offsetof(struct mixed, l), (unsigned)offsetof(struct mixed, p));
  printf("%u %u %u\n", (unsigned)sizeof(struct nested), (unsigned)_Alignof(double), (unsigned)sizeof(struct bits));
  printf("%ld %lu %d\n", LONG_MAX, ULONG_MAX, SIZE_MAX == UINT_MAX);
  struct mixed items[3] = {{'a', 1.5, -1, 1LL << 40, NULL}, {'b', 2.5, -2, 2, items}, {'c', 3.5, -3, 3, &items[1]}};
  struct mixed *middle = items[2].p;
  printf("%c %g %d %lld %d\n", middle->c, middle->d, middle->s, middle->l, middle->p == (void *)items);
  struct bits b = {0xabcde, 0x3fffffff, -1};
  b.b += 5;
  printf("%x %x %d\n", b.a, (unsigned)b.b, b.c);
  volatile uint64_t wide = 0x123456789abcdef0;
  printf("%llx %llx %llx\n", (unsigned long long)(wide * 3), (unsigned long long)(wide / 1000), (unsigned long long)(wide << 13));
  volatile int64_t negative = -1234567890123;
  printf("%lld %lld %lld %d\n", (long long)(negative / 7), (long long)(negative % 7), (long long)(negative >> 5), negative < 0);
  return (int)((uintptr_t)&items[1] - (uintptr_t)&items[0]);
}
