// purpose: variadic integers of every width, more of them than registers hold, and pointers among them
#include <stdarg.h>
#include <stdio.h>

static long long sum(int count, ...) {
  va_list list;
  va_start(list, count);
  long long total = 0;
  for (int i = 0; i < count; ++i) total = total * 3 + va_arg(list, int);
  va_end(list);
  return total;
}

static unsigned long long mixed(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  unsigned long long total = 0;
  for (; *kinds; ++kinds) {
    switch (*kinds) {
      case 'i': total = total * 31 + (unsigned)va_arg(list, int); break;
      case 'u': total = total * 31 + va_arg(list, unsigned); break;
      case 'l': total = total * 31 + (unsigned long)va_arg(list, long); break;
      case 'L': total = total * 31 + (unsigned long long)va_arg(list, long long); break;
      case 's': total = total * 31 + (unsigned char)*va_arg(list, const char *); break;
      case 'p': total = total * 31 + (unsigned long long)*va_arg(list, int *); break;
      default: return 0;
    }
  }
  va_end(list);
  return total;
}

int main(void) {
  signed char c = -5;
  unsigned short s = 65535;
  int target = 77;
  printf("%lld\n", sum(0));
  printf("%lld\n", sum(3, 1, 2, 3));
  printf("%lld\n", sum(12, 1, -2, 3, -4, 5, -6, 7, -8, 9, -10, c, s));
  printf("%llu\n", mixed("iulLsp", -1, 4000000000u, -7L, 1LL << 40, "hello", &target));
  printf("%llu\n", mixed("LiLiLiLi", 1LL << 62, 1, 2LL, 3, -4LL, 5, 6LL, -7));
  printf("%llu\n", mixed("ssspppiii", "a", "b", "c", &target, &target, &target, 1, 2, 3));
  return (int)(sum(2, 4, 5) % 200);
}
