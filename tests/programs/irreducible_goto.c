// purpose: control flow that no structured loop makes: jumps into loops, two entries of a cycle, out of nests
#include <stdio.h>

static int two_entries(int start, int n) {
  int steps = 0;
  if (start & 1) goto odd;
even:
  ++steps;
  if (n <= 0) return steps;
  n -= 2;
  if (n % 3 == 0) goto even;
odd:
  steps += 10;
  if (n <= 0) return steps;
  n -= 3;
  if (n % 5 == 0) goto odd;
  goto even;
}

static int into_loop(int n) {
  int i = 0, total = 0;
  if (n > 5) goto inside;
  for (i = 0; i < n; ++i) {
    total += i;
  inside:
    total += 100;
  }
  return total;
}

static int out_of_nest(const int grid[4][4], int wanted) {
  int i, j;
  for (i = 0; i < 4; ++i) {
    for (j = 0; j < 4; ++j) {
      if (grid[i][j] == wanted) goto found;
    }
  }
  return -1;
found:
  return i * 10 + j;
}

static int backwards(int n) {
  int count = 0;
again:
  if (n == 1) goto done;
  ++count;
  n = n & 1 ? 3 * n + 1 : n / 2;
  goto again;
done:
  return count;
}

int main(void) {
  for (int i = 0; i < 12; ++i) printf("%d %d %d\n", two_entries(i, i * 3), into_loop(i), backwards(i + 1));
  int grid[4][4];
  for (int i = 0; i < 16; ++i) grid[i / 4][i % 4] = i * i;
  printf("%d %d\n", out_of_nest((const int(*)[4])grid, 81), out_of_nest((const int(*)[4])grid, 82));
  return backwards(27);
}
