// purpose: bit counting, byte swapping, rotation, parity, reversal
#include <stdint.h>
#include <stdio.h>

static uint32_t rotate(uint32_t x, unsigned n) { return (x << (n & 31)) | (x >> (-n & 31)); }
static uint64_t rotate_right(uint64_t x, unsigned n) { return (x >> (n & 63)) | (x << (-n & 63)); }

int main(void) {
  const uint64_t values[] = {1, 2, 3, 0x80, 0xff00, 0x12345678, 0x80000000, 0xffffffff, 0x123456789abcdef0, 0x8000000000000000, ~0ull};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) {
    volatile uint64_t v = values[i];
    volatile uint32_t w = (uint32_t)v | (v >> 32 ? 1 : 0);
    printf("%d %d %d %d %d\n", __builtin_popcountll(v), __builtin_clzll(v), __builtin_ctzll(v), __builtin_parityll(v), __builtin_ffsll((long long)v));
    printf("%d %d %d %d %d %d\n", __builtin_popcount(w), __builtin_clz(w), __builtin_ctz(w), __builtin_parity(w), __builtin_ffs((int)w), __builtin_clrsb((int)w));
    printf("%llx %x %x\n", (unsigned long long)__builtin_bswap64(v), __builtin_bswap32(w), __builtin_bswap16((uint16_t)w));
    printf("%llx %x %x\n", (unsigned long long)__builtin_bitreverse64(v), __builtin_bitreverse32(w), __builtin_bitreverse8((uint8_t)w));
    for (unsigned n = 0; n < 40; n += 13) printf("%x %llx ", rotate(w, n), (unsigned long long)rotate_right(v, n));
    printf("%x %x\n", __builtin_rotateleft8((uint8_t)w, 3), __builtin_rotateright16((uint16_t)w, 5));
  }
  volatile int zero = 0;
  printf("%d %d %d\n", __builtin_ffs(zero), __builtin_popcount((unsigned)zero), __builtin_abs(-5 + zero));
  return __builtin_constant_p(5) + __builtin_types_compatible_p(int, int) * 2;
}
