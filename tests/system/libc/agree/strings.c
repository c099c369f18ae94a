#include <ctype.h>
#include <strings.h>

#include "agree.h"

enum { Size = 10 };

static void compare_tokens(const char* text, const char* delimiters) {
  char model[Size], library[Size], *model_rest = NULL, *library_rest = NULL;
  strcpy(model, text);
  strcpy(library, text);
  for (int i = 0; i < 3; ++i) {
    char* a = strtok_r(i == 0 ? model : NULL, delimiters, &model_rest);
    char* b = REAL(strtok_r)(i == 0 ? library : NULL, delimiters, &library_rest);
    MUST((a == NULL) == (b == NULL) && (a == NULL || a - model == b - library));
  }
  MUST(memcmp(model, library, strlen(text)) == 0);
}

static void compare_copies(const char* a, const char* b, size_t size) {
  char model[40], library[40];
  memset(model, 'x', sizeof model);
  memset(library, 'x', sizeof library);
  MUST(stpcpy(model, a) - model == REAL(stpcpy)(library, a) - library);
  strncat(model, b, size);
  REAL(strncat)(library, b, size);
  MUST(REAL(memcmp)(model, library, sizeof model) == 0);
  MUST(stpncpy(model, b, size) - model == REAL(stpncpy)(library, b, size) - library);
  memmove(model + 2, model, size);
  REAL(memmove)(library + 2, library, size);
  MUST(REAL(memcmp)(model, library, sizeof model) == 0);
  char *copy = strndup(a, size), *other = REAL(strndup)(a, size);
  MUST(strcmp(copy, other) == 0);
  free(copy);
  free(other);
}

int main(void) {
  char a[Size], b[4];
  unsigned char size = plumb_symbolic_uchar("size");
  plumb_symbolic(a, sizeof a, "a");
  plumb_symbolic(b, sizeof b, "b");
  a[Size - 1] = b[3] = 0;
  size %= Size;
  SAME(strlen, a);
  SAME(strnlen, a, size);
  SAME_SIGN(strcmp, a, b);
  SAME_SIGN(strncmp, a, b, size);
  SAME_SIGN(strcasecmp, a, b);
  SAME_SIGN(strcoll, a, b);
  SAME_SIGN(strverscmp, a, b);
  SAME(strchr, a, b[0]);
  SAME(strrchr, a, b[0]);
  SAME(strchrnul, a, b[1]);
  SAME(strspn, a, b);
  SAME(strcspn, a, b);
  SAME(strpbrk, a, b);
  SAME(strstr, a, b);
  SAME(strcasestr, a, b);
  SAME(memchr, a, b[0], size);
  SAME(memrchr, a, b[0], size);
  SAME(memmem, a, size, b, strlen(b));
  SAME(basename, a);
  MUST((isalpha((unsigned char)a[0]) != 0) == (REAL(isalpha)((unsigned char)a[0]) != 0));
  MUST(toupper((unsigned char)a[1]) == REAL(toupper)((unsigned char)a[1]));
  compare_tokens(a, b);
  compare_copies(a, b, size);
  return 0;
}
