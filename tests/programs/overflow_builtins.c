// purpose: overflow-checking and saturating builtins at the edges of every width
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#define TRY(type, format, op, a, b)                                             \
  {                                                                             \
    volatile type x = (type)(a), y = (type)(b);                                 \
    type r;                                                                     \
    int over = __builtin_##op##_overflow(x, y, &r);                             \
    printf(#op " " #type " " format " " format " = " format " %d\n", x, y, r, over); \
  }

#define ALL(type, format, least, greatest) \
  TRY(type, format, add, greatest, 1)      \
  TRY(type, format, add, 100, 27)          \
  TRY(type, format, sub, least, 1)         \
  TRY(type, format, sub, 5, 3)             \
  TRY(type, format, mul, greatest, 2)      \
  TRY(type, format, mul, least, greatest)  \
  TRY(type, format, mul, 11, 11)

int main(void) {
  ALL(int8_t, "%d", INT8_MIN, INT8_MAX)
  ALL(uint8_t, "%d", 0, UINT8_MAX)
  ALL(int16_t, "%d", INT16_MIN, INT16_MAX)
  ALL(int32_t, "%d", INT32_MIN, INT32_MAX)
  ALL(uint32_t, "%u", 0, UINT32_MAX)
  ALL(int64_t, "%ld", INT64_MIN, INT64_MAX)
  ALL(uint64_t, "%lu", 0, UINT64_MAX)
  int narrow;
  volatile long long big = 1LL << 40;
  printf("%d\n", __builtin_add_overflow(big, 1, &narrow));
  unsigned char mixed;
  volatile int minus = -1;
  printf("%d %d\n", __builtin_add_overflow(minus, 5u, &mixed), mixed);
  __int128 huge;
  volatile long long most = LLONG_MAX;
  printf("%d\n", __builtin_mul_overflow((__int128)most * 4, (__int128)most, &huge));
  unsigned carry;
  volatile unsigned full = UINT_MAX;
  unsigned low = __builtin_addc(full, 1, 0, &carry);
  printf("%u %u\n", low, carry);
  volatile signed char s = 100;
  return __builtin_elementwise_add_sat((signed char)s, (signed char)s) + __builtin_elementwise_sub_sat((unsigned char)3, (unsigned char)s);
}
