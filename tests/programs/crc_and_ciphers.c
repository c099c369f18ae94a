// purpose: table-driven CRC, a block cipher and a stream generator: long chains of shifts, rotations and sums
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t table[256];

static void build(void) {
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
}

static uint32_t crc(const void *data, size_t size) {
  const uint8_t *p = data;
  uint32_t c = ~0u;
  while (size--) c = table[(c ^ *p++) & 0xff] ^ (c >> 8);
  return ~c;
}

static void encipher(uint32_t v[2], const uint32_t key[4]) {
  uint32_t a = v[0], b = v[1], sum = 0;
  for (int i = 0; i < 32; ++i) {
    a += (((b << 4) ^ (b >> 5)) + b) ^ (sum + key[sum & 3]);
    sum += 0x9e3779b9;
    b += (((a << 4) ^ (a >> 5)) + a) ^ (sum + key[(sum >> 11) & 3]);
  }
  v[0] = a;
  v[1] = b;
}

static void decipher(uint32_t v[2], const uint32_t key[4]) {
  uint32_t a = v[0], b = v[1], sum = 0x9e3779b9u * 32;
  for (int i = 0; i < 32; ++i) {
    b -= (((a << 4) ^ (a >> 5)) + a) ^ (sum + key[(sum >> 11) & 3]);
    sum -= 0x9e3779b9;
    a -= (((b << 4) ^ (b >> 5)) + b) ^ (sum + key[sum & 3]);
  }
  v[0] = a;
  v[1] = b;
}

static uint64_t split_mix(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

int main(void) {
  build();
  printf("%08x %08x\n", crc("123456789", 9), crc("", 0));
  uint32_t block[2] = {0x12345678, 0x9abcdef0}, key[4] = {1, 2, 3, 0xffffffff};
  encipher(block, key);
  printf("%08x %08x\n", block[0], block[1]);
  decipher(block, key);
  printf("%08x %08x\n", block[0], block[1]);
  uint64_t state = 42;
  uint8_t stream[64];
  for (int i = 0; i < 8; ++i) {
    uint64_t r = split_mix(&state);
    memcpy(stream + 8 * i, &r, 8);
  }
  printf("%08x\n", crc(stream, sizeof stream));
  return (int)(crc(table, sizeof table) & 0xff);
}
