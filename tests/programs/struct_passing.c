// purpose: structures of every size from 1 to 24 bytes passed and returned by value
#include <stdio.h>
#include <string.h>

#define SIZES(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(20) X(24)

#define DEFINE(N)                                                            \
  struct bytes##N { unsigned char b[N]; };                                   \
  static struct bytes##N turn##N(int before, struct bytes##N s, int after) { \
    struct bytes##N r;                                                       \
    for (int i = 0; i < N; ++i) r.b[i] = (unsigned char)(s.b[N - 1 - i] + before * i - after); \
    s.b[0] = 0;                                                              \
    return r;                                                                \
  }
SIZES(DEFINE)

static unsigned hash(const unsigned char *data, int size) {
  unsigned h = 5381;
  for (int i = 0; i < size; ++i) h = h * 33 + data[i];
  return h;
}

#define USE(N)                                                   \
  {                                                              \
    struct bytes##N s;                                           \
    for (int i = 0; i < N; ++i) s.b[i] = (unsigned char)(i + N); \
    struct bytes##N (*pointer)(int, struct bytes##N, int) = turn##N; \
    struct bytes##N once = pointer(3, s, 5), twice = turn##N(1, turn##N(2, once, 3), 4); \
    printf("%d %u %u %u\n", N, hash(s.b, N), hash(once.b, N), hash(twice.b, N)); \
  }

int main(void) {
  SIZES(USE)
  return (int)turn8(1, (struct bytes8){{1, 2, 3, 4, 5, 6, 7, 8}}, 2).b[3];
}
