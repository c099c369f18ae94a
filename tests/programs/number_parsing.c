// purpose: strtol and its family, with bases, ends, overflow and errno; strtod; atoi
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void integers(const char *text, int base) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, base);
  int error = errno;
  errno = 0;
  unsigned long other = strtoul(text, NULL, base);
  printf("'%s' base %d: %ld at %d, range %d; %lu, range %d\n", text, base, value, (int)(end - text), error == ERANGE, other, errno == ERANGE);
}

static void reals(const char *text) {
  char *end;
  double value = strtod(text, &end);
  printf("'%s': %.17g %a at %d\n", text, value, value, (int)(end - text));
}

int main(void) {
  integers("42", 10);
  integers("  -17xyz", 10);
  integers("+0x1fG", 16);
  integers("0x1f", 0);
  integers("0755", 0);
  integers("0", 0);
  integers("zz", 36);
  integers("10102", 2);
  integers("nothing", 10);
  integers("", 10);
  integers("9223372036854775807", 10);
  integers("9223372036854775808", 10);
  integers("-9223372036854775809", 10);
  integers("99999999999999999999999", 10);
  integers("-1", 10);
  integers("0x", 16);
  reals("0");
  reals("3.14159265358979");
  reals("-2.5e3rest");
  reals(" 1e-5");
  reals(".5");
  reals("1.");
  reals("1e");
  reals("0x1.8p3");
  reals("0.1");
  reals("123456789012345678901234567890");
  reals("1.7976931348623157e308");
  reals("4.9406564584124654e-324");
  reals("inf");
  reals("x");
  printf("%d %ld %lld %g\n", atoi("123abc"), atol("-456"), atoll("5000000000"), atof("2.25"));
  return 0;
}
