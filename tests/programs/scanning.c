// purpose: sscanf: integers, reals, words, sets, widths, suppression, counts and failures
#include <stdio.h>

int main(void) {
  int a = 0, b = 0, n = 0;
  unsigned u = 0;
  long l = 0;
  long long ll = 0;
  short h = 0;
  signed char hh = 0;
  double d = 0;
  float f = 0;
  char word[20] = "", other[20] = "", c = 0;
  printf("%d ", sscanf("12 -34", "%d %d", &a, &b));
  printf("%d %d\n", a, b);
  printf("%d ", sscanf("0x1f 077 99", "%i %i %u", &a, &b, &u));
  printf("%d %d %u\n", a, b, u);
  printf("%d ", sscanf("ff,1234567890123", "%x,%ld", &u, &l));
  printf("%u %ld\n", u, l);
  printf("%d ", sscanf("-5 300 -1", "%hhd %hd %lld", &hh, &h, &ll));
  printf("%d %d %lld\n", hh, h, ll);
  printf("%d ", sscanf("3.25 -1e3", "%lf %f", &d, &f));
  printf("%g %g\n", d, (double)f);
  printf("%d ", sscanf("  hello world", "%s %5s", word, other));
  printf("%s %s\n", word, other);
  printf("%d ", sscanf("abcdefgh", "%3s%c%n", word, &c, &n));
  printf("%s %c %d\n", word, c, n);
  printf("%d ", sscanf("key = value;", "%[a-z] = %[^;]", word, other));
  printf("%s %s\n", word, other);
  printf("%d ", sscanf("1 2 3", "%d %*d %d", &a, &b));
  printf("%d %d\n", a, b);
  printf("%d ", sscanf("12345", "%2d%3d", &a, &b));
  printf("%d %d\n", a, b);
  printf("%d %d %d\n", sscanf("x", "%d", &a), sscanf("", "%d", &a), sscanf("1 x", "%d %d", &a, &b));
  printf("%d\n", sscanf("50%", "%d%%", &a));
  return a;
}
