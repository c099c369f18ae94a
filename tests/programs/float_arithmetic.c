// purpose: single precision: every operation, rounding to float, subnormals, infinities, signed zeros
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t bits(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return f != f ? 0x7fc00000 : u;
}

int main(void) {
  const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.1f, 3.4028234e38f, 1.17549435e-38f, 1e-45f, 16777216.0f, 1.0000001f, -2.75f, INFINITY, -INFINITY, NAN};
  const int count = sizeof values / sizeof *values;
  uint32_t hash = 0;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      volatile float a = values[i], b = values[j];
      float sum = a + b, difference = a - b, product = a * b, quotient = a / b;
      hash = hash * 31 + bits(sum);
      hash = hash * 31 + bits(difference);
      hash = hash * 31 + bits(product);
      hash = hash * 31 + bits(quotient);
      hash = hash * 31 + (uint32_t)((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5);
    }
    printf("%d %08x %08x\n", i, hash, bits(-values[i]));
  }
  volatile float third = 1.0f / 3.0f, large = 1e30f;
  printf("%.9g %.9g %.9g\n", (double)third, (double)(third * 3), (double)(large * large));
  float sum = 0;
  for (int i = 0; i < 1000; ++i) sum += 0.1f;
  printf("%.9g\n", (double)sum);
  volatile float tiny = FLT_MIN;
  for (int i = 0; i < 25; ++i) tiny /= 2;
  printf("%.9g\n", (double)tiny);
  return isnan(values[13]) + isinf(values[11]) * 2;
}
