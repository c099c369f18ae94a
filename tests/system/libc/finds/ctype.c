// Classes of characters, by the tables behind the macros of <ctype.h>.
#include <ctype.h>
#include <plumb/plumb.h>

int main(void) {
  char text[4];
  plumb_symbolic(text, sizeof text, "text");
  if (isalpha((unsigned char)text[0]) && toupper((unsigned char)text[0]) == 'Q') return 1;
  if (isdigit((unsigned char)text[1]) && isxdigit((unsigned char)text[2]) && ispunct((unsigned char)text[3])) return 2;
  if (isspace((unsigned char)text[1])) return 3;
  if (!isprint((unsigned char)text[1])) return 4;
  return 0;
}
