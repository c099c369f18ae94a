// purpose: printf's integer and text conversions with flags, widths, precisions and length modifiers
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
  int written = 0;
  printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d]|\n", 42, 42, 42, 42, 42, 42, 42, 42, 42);
  printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d]\n", -42, -42, -42, -42, -42, -42, -42, -42);
  printf("[%i] [%i] [%u] [%u]\n", INT_MAX, INT_MIN, UINT_MAX, 0u);
  printf("[%x] [%X] [%#x] [%#X] [%08x] [%#010x] [%.0x] [%#x]\n", 48879u, 48879u, 48879u, 48879u, 48879u, 48879u, 0u, 0u);
  printf("[%o] [%#o] [%#.3o] [%#o]\n", 8u, 8u, 8u, 0u);
  printf("[%hhd] [%hhu] [%hd] [%hu]\n", (signed char)-1, (unsigned char)255, (short)-2, (unsigned short)65535);
  printf("[%ld] [%lu] [%lx]\n", LONG_MIN, ULONG_MAX, 0x123456789abcdefUL);
  printf("[%lld] [%llu] [%llX]\n", LLONG_MIN, ULLONG_MAX, 0xfedcba9876543210ULL);
  printf("[%zu] [%zd] [%td] [%jd] [%ju]\n", (size_t)7, (ptrdiff_t)-7, (ptrdiff_t)-8, (intmax_t)-9, (uintmax_t)9);
  printf("[%c] [%5c] [%-5c] [%%] [%c]\n", 'a', 'b', 'c', 65 + 256);
  printf("[%s] [%10s] [%-10s] [%.2s] [%8.3s] [%s]\n", "text", "text", "text", "text", "text", "");
  printf("[%*d] [%-*d] [%.*d] [%*d] [%.*s]\n", 6, 42, 6, 42, 4, 42, -6, 42, 2, "text");
  printf("[%.0d] [%+.0d] [%5.0d]\n", 0, 0, 0);
  char unterminated[3] = {'x', 'y', 'z'};
  printf("[%.3s] [%p]\n", unterminated, (void *)0);
  printf("count%n", &written);
  printf(" %d\n", written);
  char small[8];
  int length = snprintf(small, sizeof small, "%d-%d", 12345, 67890);
  printf("%d %s %d\n", length, small, snprintf(NULL, 0, "%s", "measured"));
  length = sprintf(small, "%c%c", 'o', 'k');
  fprintf(stdout, "%s %d\n", small, length);
  fputs("fputs ", stdout);
  fputc('c', stdout);
  putc('\n', stdout);
  return printf("%s\n", "length of this line");
}
