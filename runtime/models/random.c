// Random numbers with glibc's sequences, so that a program prints what it prints natively. random() is the additive
// feedback generator r[i] = r[i-3] + r[i-31] (glibc's TYPE_3), seeded by the Lehmer generator 16807 modulo 2^31-1.

#include <stdint.h>

enum { Degree = 31, Separation = 3, Discarded = 310 };

static int32_t state[Degree];
static int front;  // the oldest but Separation words, replaced by its sum with the oldest
static int rear;   // the oldest word
static int seeded;

long random(void);

void srandom(unsigned seed) {
  seeded = 1;
  state[0] = (int32_t)(seed == 0 ? 1 : seed);
  for (int i = 1; i < Degree; ++i) {
    // Schrage's way to stay within 32 bits, signs as in glibc for seeds beyond 2^31.
    int32_t high = state[i - 1] / 127773;
    int32_t low = state[i - 1] % 127773;
    int32_t word = 16807 * low - 2836 * high;
    state[i] = word < 0 ? word + 2147483647 : word;
  }
  front = Separation;
  rear = 0;
  for (int i = 0; i < Discarded; ++i) random();
}

long random(void) {
  if (!seeded) srandom(1);
  uint32_t sum = (uint32_t)state[front] + (uint32_t)state[rear];
  state[front] = (int32_t)sum;
  front = front + 1 == Degree ? 0 : front + 1;
  rear = rear + 1 == Degree ? 0 : rear + 1;
  return (long)(sum >> 1);
}

void srand(unsigned seed) { srandom(seed); }
int rand(void) { return (int)random(); }

int rand_r(unsigned* seed) {
  uint32_t next = *seed * 1103515245u + 12345u;
  uint32_t result = next / 65536u % 2048u;
  next = next * 1103515245u + 12345u;
  result = (result << 10) ^ (next / 65536u % 1024u);
  next = next * 1103515245u + 12345u;
  result = (result << 10) ^ (next / 65536u % 1024u);
  *seed = next;
  return (int)result;
}

// The 48-bit generators of <stdlib.h>.
static unsigned short own_state[3];

static uint64_t next48(unsigned short words[3]) {
  uint64_t value = (uint64_t)words[2] << 32 | (uint64_t)words[1] << 16 | words[0];
  value = (value * 0x5deece66dull + 0xb) & 0xffffffffffffull;
  words[0] = (unsigned short)value;
  words[1] = (unsigned short)(value >> 16);
  words[2] = (unsigned short)(value >> 32);
  return value;
}

double erand48(unsigned short words[3]) { return (double)next48(words) / 281474976710656.0; }
long nrand48(unsigned short words[3]) { return (long)(next48(words) >> 17); }
long jrand48(unsigned short words[3]) { return (long)(int32_t)(uint32_t)(next48(words) >> 16); }
double drand48(void) { return erand48(own_state); }
long lrand48(void) { return nrand48(own_state); }
long mrand48(void) { return jrand48(own_state); }

void srand48(long seed) {
  own_state[0] = 0x330e;
  own_state[1] = (unsigned short)seed;
  own_state[2] = (unsigned short)((unsigned long)seed >> 16);
}
