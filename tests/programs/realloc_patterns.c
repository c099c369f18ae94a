// purpose: realloc that grows, shrinks and starts from null; calloc is zero; aligned allocation; sizes of zero
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  size_t size = 0, capacity = 0;
  int *values = NULL;
  for (int i = 0; i < 1000; ++i) {
    if (size == capacity) {
      capacity = capacity ? capacity * 2 : 1;
      int *larger = realloc(values, capacity * sizeof *values);
      if (!larger) return 1;
      values = larger;
    }
    values[size++] = i * i;
  }
  long sum = 0;
  for (size_t i = 0; i < size; ++i) sum += values[i];
  values = realloc(values, 10 * sizeof *values);
  if (!values) return 1;
  printf("%ld %zu %d\n", sum, capacity, values[9]);
  free(values);
  unsigned char *zeros = calloc(37, 3);
  if (!zeros) return 1;
  int all = 0;
  for (int i = 0; i < 111; ++i) all |= zeros[i];
  printf("%d\n", all);
  free(zeros);
  void *aligned = aligned_alloc(64, 128), *other = NULL;
  printf("%d ", (int)((uintptr_t)aligned % 64));
  int failed = posix_memalign(&other, 256, 10);
  printf("%d %d\n", failed, (int)((uintptr_t)other % 256));
  memset(aligned, 1, 128);
  free(aligned);
  free(other);
  char *empty = malloc(0);
  free(empty);
  free(NULL);
  char **lines = malloc(5 * sizeof *lines);
  if (!lines) return 1;
  for (int i = 0; i < 5; ++i) {
    lines[i] = malloc(16);
    if (lines[i]) snprintf(lines[i], 16, "line %d", i);
  }
  lines[2] = realloc(lines[2], 100);
  if (lines[2]) strcat(lines[2], " is longer now than the others are");
  for (int i = 0; i < 5; ++i) {
    puts(lines[i]);
    free(lines[i]);
  }
  free(lines);
  return (int)(sum % 256);
}
