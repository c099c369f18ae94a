// purpose: the classification and mapping functions of ctype.h over all characters and EOF
#include <ctype.h>
#include <stdio.h>

int main(void) {
  unsigned counts[12] = {0};
  unsigned long hash = 5381;
  for (int c = EOF; c < 256; ++c) {
    int flags[12] = {isalpha(c) != 0, isdigit(c) != 0, isalnum(c) != 0, isspace(c) != 0, isupper(c) != 0, islower(c) != 0,
                     ispunct(c) != 0, isprint(c) != 0, isgraph(c) != 0, iscntrl(c) != 0, isxdigit(c) != 0, isblank(c) != 0};
    for (int i = 0; i < 12; ++i) {
      counts[i] += (unsigned)flags[i];
      hash = hash * 33 + (unsigned long)flags[i];
    }
    hash = hash * 33 + (unsigned long)toupper(c) * 257 + (unsigned long)tolower(c);
  }
  for (int i = 0; i < 12; ++i) printf("%u ", counts[i]);
  printf("\n%lu\n", hash);
  for (const char *p = "Mixed Case 123!"; *p; ++p) {
    putchar(isupper((unsigned char)*p) ? tolower((unsigned char)*p) : toupper((unsigned char)*p));
  }
  putchar('\n');
  return 0;
}
