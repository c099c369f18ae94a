// purpose: shifts of all widths by constant and variable amounts, rotations, masks, sign of right shifts
#include <stdint.h>
#include <stdio.h>

static uint32_t hash(uint32_t h, uint64_t v) {
  for (int i = 0; i < 64; i += 8) h = (h ^ (uint32_t)(v >> i & 0xff)) * 16777619u;
  return h;
}

int main(void) {
  uint32_t h = 2166136261u;
  volatile uint64_t u64 = 0xfedcba9876543210;
  volatile int64_t s64 = (int64_t)0xfedcba9876543210;
  volatile uint32_t u32 = 0x89abcdef;
  volatile int32_t s32 = (int32_t)0x89abcdef;
  volatile uint16_t u16 = 0x8001;
  volatile int8_t s8 = -128;
  for (unsigned n = 0; n < 64; ++n) {
    h = hash(h, u64 << n);
    h = hash(h, u64 >> n);
    h = hash(h, (uint64_t)(s64 >> n));
    h = hash(h, u64 & ((1ull << n) - 1));
    if (n < 32) {
      h = hash(h, u32 << n);
      h = hash(h, u32 >> n);
      h = hash(h, (uint64_t)(s32 >> n));
      h = hash(h, (uint64_t)(u16 >> n));
      h = hash(h, (uint64_t)(s8 >> n));
    }
    if (n < 15) h = hash(h, (uint64_t)(u16 << n));
    if (n % 16 == 0) printf("%u %08x\n", n, h);
  }
  u16 <<= 3;
  s8 >>= 2;
  u32 >>= u16 & 7;
  s64 >>= 63;
  printf("%u %d %u %lld\n", u16, s8, u32, (long long)s64);
  return (int)(h & 0x7f);
}
