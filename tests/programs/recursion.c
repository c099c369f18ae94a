// purpose: deep, mutual, indirect and multiple recursion
#include <stdio.h>

static unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}

static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

static int hanoi(int disks, char from, char to, char by, int print) {
  if (disks == 0) return 0;
  int moves = hanoi(disks - 1, from, by, to, print);
  if (print) printf("%c%c ", from, to);
  return moves + 1 + hanoi(disks - 1, by, to, from, print);
}

static int queens(int row, unsigned columns, unsigned left, unsigned right) {
  if (row == 6) return 1;
  int solutions = 0;
  for (int c = 0; c < 6; ++c) {
    unsigned bit = 1u << c;
    if ((columns | left | right) & bit) continue;
    solutions += queens(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return solutions;
}

static void permute(char *text, int at, int length) {
  if (at == length) {
    printf("%s ", text);
    return;
  }
  for (int i = at; i < length; ++i) {
    char c = text[at];
    text[at] = text[i];
    text[i] = c;
    permute(text, at + 1, length);
    text[i] = text[at];
    text[at] = c;
  }
}

static long depth(int n) {
  volatile int local[4] = {n, n + 1, n + 2, n + 3};
  return n == 0 ? 0 : depth(n - 1) + local[n & 3];
}

static int length(int n) { return n == 0 ? 0 : 1 + length(n - 1); }

typedef int self(void *, int);
static int factorial(void *f, int n) { return n < 2 ? 1 : n * ((self *)f)(f, n - 1); }

int main(void) {
  printf("%u %u\n", ackermann(2, 3), ackermann(2, 9));
  printf("%d %d\n", even(1000), odd(77));
  printf("%d\n", hanoi(3, 'a', 'c', 'b', 1));
  printf("%d %d\n", hanoi(10, 'a', 'c', 'b', 0), queens(0, 0, 0, 0));
  char text[] = "abc";
  permute(text, 0, 3);
  printf("\n%ld %d\n", depth(5000), factorial((void *)factorial, 10));
  printf("%d\n", length(80000));
  return queens(0, 0, 0, 0);
}
