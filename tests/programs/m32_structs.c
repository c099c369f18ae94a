// purpose: 32-bit calls: structures by value and returned through memory, function pointers, 64-bit arguments
// flags: -m32
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct one { char c; };
struct two { int a, b; };
struct four { long long a; double b; };
struct many { int v[9]; };

static struct one f1(struct one s) { s.c++; return s; }
static struct two f2(struct two s, long long by) { return (struct two){(int)(s.b + by), s.a}; }
static struct four f4(int pad, struct four s) { return (struct four){s.a * pad, s.b / pad}; }
static struct many fm(struct many s, int by) {
  for (int i = 0; i < 9; ++i) s.v[i] += by * i;
  return s;
}
static unsigned long long rotate(unsigned long long x, int n) { return x << n | x >> (64 - n); }

int main(void) {
  struct one s1 = f1((struct one){'a'});
  struct two s2 = f2((struct two){1, 2}, 5000000000LL - 4999999000LL);
  struct four (*pointer)(int, struct four) = f4;
  struct four s4 = pointer(3, (struct four){1LL << 40, 1.5});
  struct many sm = fm((struct many){{1, 2, 3, 4, 5, 6, 7, 8, 9}}, 10);
  printf("%c %d %d %lld %g %d\n", s1.c, s2.a, s2.b, s4.a, s4.b, sm.v[8]);
  printf("%llx\n", rotate(0x0123456789abcdefULL, 20));
  char *text = malloc(10);
  if (!text) return 1;
  strcpy(text, "heap");
  text = realloc(text, 100);
  if (!text) return 1;
  strcat(text, " in 32 bits");
  puts(text);
  free(text);
  void *pointers[3] = {&s1, &s2, pointers};
  printf("%d %d\n", pointers[2] == (void *)pointers, (int)((char *)&pointers[2] - (char *)pointers));
  double d = 1e15;
  float f = (float)d;
  printf("%lld %.9g %d\n", (long long)d, (double)f, (int)(unsigned long long)d);
  return sm.v[1];
}
