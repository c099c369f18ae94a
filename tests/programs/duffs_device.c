// purpose: a switch whose cases lie inside a loop
#include <stdio.h>

static void copy(char *to, const char *from, int count) {
  if (count <= 0) return;
  int rounds = (count + 7) / 8;
  switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--rounds > 0);
  }
}

/* A coroutine in the same manner. */
static int generate(int *state, int *i) {
  switch (*state) {
    case 0:
      for (*i = 0; *i < 3; ++*i) {
        *state = 1;
        return *i * 10;
        case 1:;
        *state = 2;
        return *i * 10 + 1;
        case 2:;
      }
  }
  return -1;
}

int main(void) {
  const char *text = "the quick brown fox jumps over";
  for (int n = 0; n <= 30; n += 5) {
    char out[40] = "";
    copy(out, text, n);
    printf("%d [%s]\n", n, out);
  }
  int state = 0, i = 0, value, last = 0;
  while ((value = generate(&state, &i)) >= 0) printf("%d ", last = value);
  printf("\n");
  return last;
}
