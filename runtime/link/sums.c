/*
 * The sums of the protocol: CRC-32 as in zlib, SHA-256 (FIPS 180-4) and HMAC (RFC 2104). Small rather than fast: a
 * table of 16 entries for the one, 16 words of message schedule at a time for the other.
 */
#include "link.h"

uint32_t plumb_crc32(uint32_t crc, const uint8_t* bytes, uint32_t size) {
  static const uint32_t table[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u,
                                     0x4db26158u, 0x5005713cu, 0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                     0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
  uint32_t i;
  crc = ~crc;
  for (i = 0; i < size; ++i) {
    crc ^= bytes[i];
    crc = crc >> 4 ^ table[crc & 15];
    crc = crc >> 4 ^ table[crc & 15];
  }
  return ~crc;
}

static const uint32_t round_constants[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u};

static uint32_t rotated(uint32_t word, uint32_t by) { return word >> by | word << (32 - by); }

/* Word i of the message schedule, in the place of word i - 16. */
static uint32_t scheduled(uint32_t* words, uint32_t i) {
  uint32_t a = words[(i + 1) & 15];
  uint32_t b = words[(i + 14) & 15];
  words[i & 15] +=
      (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + words[(i + 9) & 15] + (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
  return words[i & 15];
}

static void add_block(uint32_t* state, const uint8_t* block) {
  uint32_t words[16];
  uint32_t v[8];
  uint32_t i;
  for (i = 0; i < 16; ++i)
    words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
  for (i = 0; i < 8; ++i) v[i] = state[i];
  for (i = 0; i < 64; ++i) {
    uint32_t word = i < 16 ? words[i] : scheduled(words, i);
    uint32_t first = v[7] + (rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)) +
                     ((v[4] & v[5]) ^ (~v[4] & v[6])) + round_constants[i] + word;
    uint32_t second =
        (rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    uint32_t k;
    for (k = 7; k > 0; --k) v[k] = v[k - 1];
    v[4] += first;
    v[0] = first + second;
  }
  for (i = 0; i < 8; ++i) state[i] += v[i];
}

void plumb_sha256_begin(struct plumb_sha256* sum) {
  static const uint32_t start[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                    0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  uint32_t i;
  for (i = 0; i < 8; ++i) sum->state[i] = start[i];
  sum->size = 0;
}

void plumb_sha256_add(struct plumb_sha256* sum, const uint8_t* bytes, uint32_t size) {
  uint32_t i;
  for (i = 0; i < size; ++i) {
    sum->block[sum->size % 64] = bytes[i];
    if (++sum->size % 64 == 0) add_block(sum->state, sum->block);
  }
}

void plumb_sha256_end(struct plumb_sha256* sum, uint8_t digest[32]) {
  static const uint8_t padding[64] = {0x80};
  uint64_t bits = 8 * sum->size;
  uint8_t length[8];
  uint32_t i;
  for (i = 0; i < 8; ++i) length[i] = (uint8_t)(bits >> (56 - 8 * i));
  plumb_sha256_add(sum, padding, 1 + (uint32_t)((119 - sum->size % 64) % 64));
  plumb_sha256_add(sum, length, 8);
  for (i = 0; i < 32; ++i) digest[i] = (uint8_t)(sum->state[i / 4] >> (24 - 8 * (i % 4)));
}

void plumb_hmac_begin(struct plumb_hmac* mac, const uint8_t* key, uint32_t size) {
  const uint8_t inner_pad = 0x36;
  const uint8_t outer_pad = 0x5c;
  uint32_t i;
  for (i = 0; i < 64; ++i) mac->outer_key[i] = 0;
  if (size > 64) {
    plumb_sha256_begin(&mac->inner);
    plumb_sha256_add(&mac->inner, key, size);
    plumb_sha256_end(&mac->inner, mac->outer_key);
  } else {
    for (i = 0; i < size; ++i) mac->outer_key[i] = key[i];
  }
  for (i = 0; i < 64; ++i) mac->outer_key[i] ^= inner_pad;
  plumb_sha256_begin(&mac->inner);
  plumb_sha256_add(&mac->inner, mac->outer_key, 64);
  for (i = 0; i < 64; ++i) mac->outer_key[i] ^= (uint8_t)(inner_pad ^ outer_pad);
}

void plumb_hmac_add(struct plumb_hmac* mac, const uint8_t* bytes, uint32_t size) {
  plumb_sha256_add(&mac->inner, bytes, size);
}

void plumb_hmac_end(struct plumb_hmac* mac, uint8_t digest[32]) {
  plumb_sha256_end(&mac->inner, digest);
  plumb_sha256_begin(&mac->inner);
  plumb_sha256_add(&mac->inner, mac->outer_key, 64);
  plumb_sha256_add(&mac->inner, digest, 32);
  plumb_sha256_end(&mac->inner, digest);
}
