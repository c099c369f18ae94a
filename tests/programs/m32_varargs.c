// purpose: variadic functions in 32 bits, where everything is on the stack
// flags: -m32
#include <stdarg.h>
#include <stdio.h>

struct pair { short a; int b; };
struct triple { long long l; char c; };

static long long walk(const char *kinds, ...) {
  va_list list, again;
  va_start(list, kinds);
  va_copy(again, list);
  long long total = 0;
  for (const char *k = kinds; *k; ++k) {
    switch (*k) {
      case 'i': total += va_arg(list, int); break;
      case 'l': total += va_arg(list, long); break;
      case 'L': total += va_arg(list, long long); break;
      case 'd': total += (long long)(va_arg(list, double) * 10); break;
      case 's': total += *va_arg(list, const char *); break;
      case 'p': {
        struct pair p = va_arg(list, struct pair);
        total += p.a * p.b;
        break;
      }
      case 't': {
        struct triple t = va_arg(list, struct triple);
        total += t.l + t.c;
        break;
      }
    }
  }
  if (*kinds == 'i') total = total * 2 + va_arg(again, int);
  va_end(again);
  va_end(list);
  return total;
}

int main(void) {
  printf("%lld\n", walk("iiii", 1, 2, 3, 4));
  printf("%lld\n", walk("iLilLd", 1, 1LL << 40, -5, 7L, -2LL, 2.5));
  printf("%lld\n", walk("spti", "A", (struct pair){3, 4}, (struct triple){1LL << 33, 'x'}, 9));
  printf("%lld\n", walk("dsdsd", 1.5, "a", 2.5, "b", 3.5));
  printf("%d %ld %lld %s %c %5.2f %zu %p\n", -1, -2L, -3LL, "text", 'c', 3.14159, sizeof(int), (void *)0);
  return (int)walk("i", 5);
}
