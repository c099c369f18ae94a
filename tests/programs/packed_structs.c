// purpose: packed structures: layout, misaligned members, arrays, copies and pointers to them
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) header {
  uint8_t kind;
  uint32_t length;
  uint16_t port;
  uint64_t stamp;
  double value;
};

struct __attribute__((packed, aligned(4))) padded {
  char c;
  int i;
};

#pragma pack(push, 2)
struct two {
  char c;
  int i;
  long long l;
};
#pragma pack(pop)

static uint32_t checksum(const struct header *h, int count) {
  uint32_t sum = 0;
  for (int i = 0; i < count; ++i) sum = sum * 31 + h[i].length + h[i].port + (uint32_t)h[i].stamp + (uint32_t)h[i].value;
  return sum;
}

int main(void) {
  printf("%zu %zu %zu %zu\n", sizeof(struct header), offsetof(struct header, length), offsetof(struct header, stamp), offsetof(struct header, value));
  printf("%zu %zu %zu\n", sizeof(struct padded), sizeof(struct two), offsetof(struct two, l));
  struct header headers[3];
  for (int i = 0; i < 3; ++i) {
    headers[i] = (struct header){(uint8_t)i, 0x01020304u * (uint32_t)(i + 1), (uint16_t)(80 + i), 1ULL << (40 + i), i + 0.5};
  }
  printf("%u\n", checksum(headers, 3));
  unsigned char raw[sizeof headers];
  memcpy(raw, headers, sizeof raw);
  for (unsigned i = 0; i < sizeof(struct header); ++i) printf("%02x", raw[sizeof(struct header) + i]);
  printf("\n");
  struct header back;
  memcpy(&back, raw + 2 * sizeof back, sizeof back);
  printf("%u %llu %g\n", back.port, (unsigned long long)back.stamp, back.value);
  back.length += 5;
  back.stamp *= 3;
  struct two t = {'t', -5, 1LL << 50};
  struct two u = t;
  u.l -= t.i;
  printf("%u %lld\n", back.length, u.l);
  return (int)(checksum(&back, 1) & 0x7f);
}
