// <string.h>: measuring, comparing and searching strings.

#include "host.h"
#include "text.h"

size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

size_t strnlen(const char* text, size_t size) {
  size_t length = 0;
  while (length < size && text[length] != 0) ++length;
  return length;
}

int strncmp(const char* a, const char* b, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (a[i] != b[i]) return (unsigned char)a[i] - (unsigned char)b[i];
    if (a[i] == 0) return 0;
  }
  return 0;
}

int strcmp(const char* a, const char* b) {
  while (*a != 0 && *a == *b) {
    ++a;
    ++b;
  }
  return (unsigned char)*a - (unsigned char)*b;
}

char* strchrnul(const char* text, int byte) {
  while (*text != 0 && *text != (char)byte) ++text;
  return (char*)text;
}

char* strchr(const char* text, int byte) {
  while (*text != (char)byte) {
    if (*text == 0) return NULL;
    ++text;
  }
  return (char*)text;
}

char* strrchr(const char* text, int byte) {
  const char* found = NULL;
  for (;; ++text) {
    if (*text == (char)byte) {
      plumb_apart();
      found = text;
    }
    if (*text == 0) return (char*)found;
  }
}

size_t strspn(const char* text, const char* accepted) {
  size_t length = 0;
  while (text[length] != 0 && strchr(accepted, text[length]) != NULL) ++length;
  return length;
}

size_t strcspn(const char* text, const char* rejected) {
  size_t length = 0;
  while (text[length] != 0 && strchr(rejected, text[length]) == NULL) ++length;
  return length;
}

char* strpbrk(const char* text, const char* accepted) {
  text += strcspn(text, accepted);
  return *text != 0 ? (char*)text : NULL;
}

char* strstr(const char* text, const char* wanted) {
  size_t length = strlen(wanted);
  for (;; ++text) {
    if (strncmp(text, wanted, length) == 0) return (char*)text;
    if (*text == 0) return NULL;
  }
}

char* strcasestr(const char* text, const char* wanted) {
  for (;; ++text) {
    size_t i = 0;
    while (wanted[i] != 0 && tolower((unsigned char)text[i]) == tolower((unsigned char)wanted[i])) ++i;
    if (wanted[i] == 0) return (char*)text;
    if (*text == 0) return NULL;
  }
}

char* strsep(char** text, const char* delimiters) {
  char* token = *text;
  if (token == NULL) return NULL;
  char* end = token + strcspn(token, delimiters);
  *text = *end != 0 ? end + 1 : NULL;
  *end = 0;
  return token;
}

char* strtok_r(char* restrict text, const char* restrict delimiters, char** restrict rest) {
  if (text == NULL) text = *rest;
  text += strspn(text, delimiters);
  char* end = text + strcspn(text, delimiters);
  *rest = *end != 0 ? end + 1 : end;
  if (end == text) return NULL;
  *end = 0;
  return text;
}

char* __strtok_r(char* restrict text, const char* restrict delimiters, char** restrict rest) {
  return strtok_r(text, delimiters, rest);
}

char* strtok(char* restrict text, const char* restrict delimiters) {
  static char* rest;
  return strtok_r(text, delimiters, &rest);
}

// Orders runs of digits by their value, and those that start with zero as fractions.
int strverscmp(const char* a, const char* b) {
  size_t i = 0;
  size_t run = 0;  // where the run of digits that both share starts
  int zeros = 1;   // that run has only zeros so far
  for (; a[i] == b[i]; ++i) {
    if (a[i] == 0) return 0;
    if (!isdigit((unsigned char)a[i])) {
      plumb_apart();
      run = i + 1;
      zeros = 1;
    } else if (a[i] != '0') {
      zeros = 0;
    }
  }
  int difference = (unsigned char)a[i] - (unsigned char)b[i];
  if (isdigit((unsigned char)a[run]) && a[run] != '0' && isdigit((unsigned char)b[run]) && b[run] != '0') {
    size_t end = i;
    for (; isdigit((unsigned char)a[end]); ++end) {
      if (!isdigit((unsigned char)b[end])) return 1;
    }
    return isdigit((unsigned char)b[end]) ? -1 : difference;
  }
  // Behind shared zeros a digit comes before anything else.
  int a_digit = isdigit((unsigned char)a[i]);
  int b_digit = isdigit((unsigned char)b[i]);
  return zeros && run < i && a_digit != b_digit ? b_digit - a_digit : difference;
}
