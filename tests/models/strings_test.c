/* <string.h> and <strings.h> on strings over a small alphabet, so that matches are common. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "check.h"

MODEL(strlen);
MODEL(strnlen);
MODEL(strcmp);
MODEL(strncmp);
MODEL(strcoll);
MODEL(strxfrm);
MODEL(strcasecmp);
MODEL(strncasecmp);
MODEL(strverscmp);
MODEL(strchr);
MODEL(strrchr);
MODEL(strchrnul);
MODEL(index);
MODEL(rindex);
MODEL(strspn);
MODEL(strcspn);
MODEL(strpbrk);
MODEL(strstr);
MODEL(strcasestr);
MODEL(strcpy);
MODEL(stpcpy);
MODEL(strncpy);
MODEL(stpncpy);
MODEL(strcat);
MODEL(strncat);
MODEL(strdup);
MODEL(strndup);
MODEL(strtok);
MODEL(strtok_r);
MODEL(strsep);
MODEL(strerror);
MODEL(strsignal);
MODEL(ffs);
MODEL(ffsl);
MODEL(ffsll);
size_t model_strlcpy(char* to, const char* from, size_t size);
size_t model_strlcat(char* to, const char* from, size_t size);

enum { Longest = 12, Room = 64 };
static const char alphabet[] = "abABc-1 \xe9";

static int sign(int value) { return (value > 0) - (value < 0); }

static void test_comparing(const char* a, const char* b, size_t size) {
  check(model_strlen(a) == strlen(a), "strlen %s", quoted(a));
  check(model_strnlen(a, size) == strnlen(a, size), "strnlen %s", quoted(a));
  check(sign(model_strcmp(a, b)) == sign(strcmp(a, b)), "strcmp %s %s", quoted(a), quoted(b));
  check(sign(model_strcoll(a, b)) == sign(strcoll(a, b)), "strcoll %s %s", quoted(a), quoted(b));
  check(sign(model_strncmp(a, b, size)) == sign(strncmp(a, b, size)), "strncmp %s %s", quoted(a), quoted(b));
  check(sign(model_strcasecmp(a, b)) == sign(strcasecmp(a, b)), "strcasecmp %s %s", quoted(a), quoted(b));
  check(sign(model_strncasecmp(a, b, size)) == sign(strncasecmp(a, b, size)), "strncasecmp %s %s", quoted(a),
        quoted(b));
}

static void test_searching(const char* a, const char* b, int byte) {
  check(model_strchr(a, byte) == strchr(a, byte), "strchr %s %d", quoted(a), byte);
  check(model_strrchr(a, byte) == strrchr(a, byte), "strrchr %s %d", quoted(a), byte);
  check(model_strchrnul(a, byte) == strchrnul(a, byte), "strchrnul %s %d", quoted(a), byte);
  check(model_index(a, byte) == index(a, byte), "index %s %d", quoted(a), byte);
  check(model_rindex(a, byte) == rindex(a, byte), "rindex %s %d", quoted(a), byte);
  check(model_strspn(a, b) == strspn(a, b), "strspn %s %s", quoted(a), quoted(b));
  check(model_strcspn(a, b) == strcspn(a, b), "strcspn %s %s", quoted(a), quoted(b));
  check(model_strpbrk(a, b) == strpbrk(a, b), "strpbrk %s %s", quoted(a), quoted(b));
  check(model_strstr(a, b) == strstr(a, b), "strstr %s %s", quoted(a), quoted(b));
  check(model_strcasestr(a, b) == strcasestr(a, b), "strcasestr %s %s", quoted(a), quoted(b));
}

static void test_copying(const char* a, const char* b, size_t size) {
  char model[Room], library[Room];
  memset(model, 'x', Room);
  memset(library, 'x', Room);
  check(model_stpcpy(model, a) - model == stpcpy(library, a) - library, "stpcpy result");
  check(model_strcat(model, b) == model, "strcat result");
  strcat(library, b);
  check_bytes(model, library, Room, "strcat %s %s", quoted(a), quoted(b));
  check(model_strncat(model, a, size) == model, "strncat result");
  strncat(library, a, size);
  check_bytes(model, library, Room, "strncat %s %zu", quoted(a), size);
  check(model_strncpy(model, b, size) == model, "strncpy result");
  strncpy(library, b, size);
  check_bytes(model, library, Room, "strncpy %s %zu", quoted(b), size);
  check(model_stpncpy(model, a, size) - model == stpncpy(library, a, size) - library, "stpncpy result");
  check_bytes(model, library, Room, "stpncpy %s %zu", quoted(a), size);
  check(model_strxfrm(model, b, size) == strxfrm(library, b, size), "strxfrm result");
  if (strlen(b) < size) check_bytes(model, library, Room, "strxfrm %s %zu", quoted(b), size);
  model_strcpy(model, a);
  strcpy(library, a);
  memset(model + strlen(a) + 1, 'y', 8);
  memset(library + strlen(a) + 1, 'y', 8);
  /* The library has no strlcpy before glibc 2.38; snprintf is its definition. */
  memcpy(library, model, Room);
  check(model_strlcpy(model, b, size) == strlen(b), "strlcpy result");
  if (size > 0) snprintf(library, size, "%s", b);
  check_bytes(model, library, Room, "strlcpy %s %zu", quoted(b), size);
  size_t held = strnlen(library, size);
  check(model_strlcat(model, a, size) == held + strlen(a), "strlcat result");
  if (held < size) snprintf(library + held, size - held, "%s", a);
  check_bytes(model, library, Room, "strlcat %s %zu", quoted(a), size);
  char *copy = model_strdup(a), *part = model_strndup(b, size), *wanted = strndup(b, size);
  check(strcmp(copy, a) == 0 && strcmp(part, wanted) == 0, "strdup %s, strndup %s %zu", quoted(a), quoted(b), size);
  free(copy);
  free(part);
  free(wanted);
}

static void test_tokens(const char* text, const char* delimiters) {
  char model[Room], library[Room], other[Room];
  strcpy(model, text);
  strcpy(library, text);
  strcpy(other, text);
  char *model_at = model, *library_at = library, *rest = NULL;
  for (int i = 0; i < 4; ++i) {
    char* a = model_strtok(i == 0 ? model : NULL, delimiters);
    char* b = strtok(i == 0 ? library : NULL, delimiters);
    char* c = model_strtok_r(i == 0 ? other : NULL, delimiters, &rest);
    check((a == NULL) == (b == NULL) && (c == NULL) == (b == NULL) &&
              (a == NULL || (a - model == b - library && c - other == b - library)),
          "strtok %s %s", quoted(text), quoted(delimiters));
  }
  check_bytes(model, library, strlen(text) + 1, "strtok %s %s", quoted(text), quoted(delimiters));
  strcpy(model, text);
  strcpy(library, text);
  while (library_at != NULL) {
    char* a = model_strsep(&model_at, delimiters);
    char* b = strsep(&library_at, delimiters);
    check(a - model == b - library && (model_at == NULL) == (library_at == NULL), "strsep %s", quoted(text));
    if (model_at == NULL) break;
  }
  check_bytes(model, library, strlen(text) + 1, "strsep %s %s", quoted(text), quoted(delimiters));
}

extern char* model_basename(const char*);
extern char* model___xpg_basename(char*);
extern char* model_dirname(char*);
extern char* __xpg_basename(char*);
extern char* dirname(char*);

static void test_paths(void) {
  char text[Room], model[Room], library[Room];
  random_text(text, 7, "//ab.");
  check(model_basename(text) == basename(text), "basename %s", quoted(text));
  strcpy(model, text);
  strcpy(library, text);
  check(strcmp(model___xpg_basename(model), __xpg_basename(library)) == 0, "__xpg_basename %s", quoted(text));
  strcpy(model, text);
  strcpy(library, text);
  const char *a = model_dirname(model), *b = dirname(library);
  check(strcmp(a, b) == 0, "dirname %s: %s, not %s", quoted(text), a, b);
}

void test_strings(void) {
  for (int i = 0; i < 5000; ++i) {
    char a[Room], b[Room], few[Room], number[Room], other[Room];
    random_text(a, Longest, alphabet);
    random_text(b, one_in(2) ? Longest : 3, alphabet);
    random_text(few, 3, "ab1 ");
    if (one_in(4)) strcpy(b, a);
    test_comparing(a, b, below(Longest + 4));
    test_searching(a, b, one_in(5) ? 0 : alphabet[below(sizeof alphabet)]);
    test_copying(a, b, below(Longest + 4));
    test_tokens(a, few);
    test_paths();
    random_text(number, 6, "0019a");
    random_text(other, 6, "0019a");
    check(sign(model_strverscmp(number, other)) == sign(strverscmp(number, other)), "strverscmp %s %s", quoted(number),
          quoted(other));
    long long word = (long long)(random64() << below(64));
    check(model_ffs((int)word) == ffs((int)word) && model_ffsl((long)word) == ffsl((long)word) &&
              model_ffsll(word) == ffsll(word),
          "ffs %llx", word);
  }
  static const int errors[] = {0,      ENOENT, EINVAL, ENOMEM, ERANGE, EDOM, EBADF,
                               EACCES, EEXIST, EILSEQ, EPERM,  -3,     12345};
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; ++i) {
    check(strcmp(model_strerror(errors[i]), strerror(errors[i])) == 0, "strerror %d", errors[i]);
  }
  for (int i = 1; i < 16; ++i) check(strcmp(model_strsignal(i), strsignal(i)) == 0, "strsignal %d", i);
}
