// purpose: variables of blocks whose addresses are taken, with every way in and out of a block, and no use behind it
#include <plumb/plumb.h>
#include <setjmp.h>
#include <string.h>

static jmp_buf back;
static int* kept;

static void set(int* to, int value) { *to = value; }

/* Each round has its own, and the pointer is set anew before it is used. */
static int rounds(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    int here;
    int* p = &here;
    set(p, i);
    if (*p == 2) continue;
    if (*p == 3) break;
    sum += *p;
  }
  return sum;
}

/* A jump back in a block does not leave it. */
static int again(int n) {
  int* p = NULL;
  if (n > 0) {
  repeat:
    if (p != NULL && *p > 3) return *p;
    int local = n;
    p = &local;
    set(p, n++);
    goto repeat;
  }
  return 0;
}

/* A switch jumps over the declaration. */
static int cases(int n) {
  switch (n) {
    int chosen;
    case 1:
      set(&chosen, 5);
      return chosen;
    default:
      set(&chosen, 6);
      kept = &chosen;
      return *kept;
  }
}

static int jumps(int n) {
  volatile int result = 0;
  {
    int inner = n;
    kept = &inner;
    if (setjmp(back) == 0) {
      int deeper;
      set(&deeper, n);
      if (deeper == 2) longjmp(back, 1);
    } else {
      result = *kept;
    }
  }
  return result;
}

static int lengths(int n) {
  int sum = 0;
  for (int i = 1; i < n; i++) {
    char bytes[i];
    char last;
    memset(bytes, i, sizeof bytes);
    memcpy(&last, bytes + i - 1, 1);
    sum += last;
  }
  return sum;
}

/* The pointer leaves the block, and goes back to what is there before it is used. */
static int outside(int n) {
  int x = 1, *p = &x;
  if (n) {
    int inner = 2;
    p = &inner;
    x = *p;
  }
  p = &x;
  return *p;
}

int main(void) {
  int n = plumb_symbolic_int("n");
  if (n < 0 || n > 4) return 0;
  return rounds(n) + again(n) + cases(n) + jumps(n) + lengths(n) + outside(n) == 100;
}
