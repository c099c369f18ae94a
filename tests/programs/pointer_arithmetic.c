// purpose: pointers into arrays: differences, comparisons, one past the end, multi-dimensional, casts to integers and back
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct item { char tag; int values[3]; };

static int sum(const int *from, const int *to) {
  int total = 0;
  while (from < to) total += *from++;
  return total;
}

static void fill(int (*matrix)[4], int rows) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < 4; ++j) matrix[i][j] = i * 4 + j;
  }
}

static void swap(void **a, void **b) {
  void *t = *a;
  *a = *b;
  *b = t;
}

int main(void) {
  int matrix[3][4];
  fill(matrix, 3);
  printf("%d %d\n", sum(matrix[0], matrix[1]), sum(matrix[2], matrix[2] + 4));
  int *p = &matrix[2][3], *q = &matrix[2][0];
  printf("%ld %d %d\n", (long)(p - q), p > q, p[-2]);
  printf("%d %d\n", *(*(matrix + 1) + 2), 2 [q]);
  struct item items[4];
  memset(items, 0, sizeof items);
  struct item *last = &items[3];
  last->values[2] = 42;
  printf("%ld %ld\n", (long)(last - items), (long)((char *)&last->values[2] - (char *)items));
  struct item *end = items + 4;
  int found = 0;
  for (struct item *i = items; i != end; ++i) found += i->values[2];
  printf("%d\n", found);
  uintptr_t address = (uintptr_t)&items[1];
  struct item *back = (struct item *)(address + sizeof(struct item));
  back->tag = 'b';
  printf("%c %d\n", items[2].tag, (int)(address % _Alignof(struct item)));
  int x = 1, y = 2;
  void *a = &x, *b = &y;
  swap(&a, &b);
  printf("%d %d\n", *(int *)a, *(int *)b);
  char *bytes = (char *)&x;
  bytes[1] = 1;
  int *tagged = (int *)((uintptr_t)&y | 1);
  *(int *)((uintptr_t)tagged & ~(uintptr_t)1) = 9;
  int **chain[2] = {&p, &q};
  **chain[1] += 100;
  return x % 256 + y + (matrix[2][0] == 108);
}
