// purpose: switch: dense, sparse, negative, 64-bit, ranges, fall-through, default in the middle, nested, on char and enum
#include <limits.h>
#include <stdio.h>

static int dense(int n) {
  switch (n) {
    case 0: return 10;
    case 1: return 21;
    case 2: return 32;
    case 3:
    case 4: return 43;
    case 6: return 65;
    default: return -1;
  }
}

static const char *sparse(int n) {
  switch (n) {
    case INT_MIN: return "least";
    case -1000000: return "minus a million";
    case -1: return "minus one";
    case 12345678: return "large";
    case INT_MAX: return "greatest";
  }
  return "other";
}

static int wide(long long n) {
  switch (n) {
    case 1LL << 40: return 1;
    case -(1LL << 40): return 2;
    case LLONG_MIN: return 3;
    case 7: return 4;
    case 0x100000007: return 5;
    default: return 0;
  }
}

static int fall(int n) {
  int result = 0;
  switch (n) {
    default: result += 1000;
    case 1: result += 1; break;
    case 2: result += 2;
    case 3: result += 30;
    case 4: {
      result += 400;
      break;
    }
  }
  return result;
}

static char kind(unsigned char c) {
  switch (c) {
    case '0' ... '9': return 'd';
    case 'a' ... 'f':
    case 'A' ... 'F': return 'x';
    case 'g' ... 'z': return 'l';
    case 128 ... 255: return 'h';
    default: return '.';
  }
}

int main(void) {
  for (int i = -1; i < 8; ++i) printf("%d %d\n", dense(i), fall(i));
  const int keys[] = {INT_MIN, -1000000, -1, 0, 12345678, INT_MAX};
  for (int i = 0; i < 6; ++i) puts(sparse(keys[i]));
  printf("%d%d%d%d%d%d\n", wide(1LL << 40), wide(-(1LL << 40)), wide(LLONG_MIN), wide(7), wide(0x100000007), wide(0x200000007));
  for (int c = 0; c < 256; c += 7) putchar(kind((unsigned char)c));
  putchar('\n');
  int count = 0;
  for (int i = 0; i < 10; ++i) {
    switch (i % 3) {
      case 0: continue;
      case 1:
        switch (i) {
          case 4: count += 100;
          default: ++count;
        }
        break;
    }
    count += 10;
  }
  return count % 256;
}
