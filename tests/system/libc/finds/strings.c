// Strings that are cut, searched, joined, copied and compared.
#define _GNU_SOURCE
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void) {
  char text[8], copy[16];
  plumb_symbolic(text, sizeof text, "text");
  text[7] = 0;
  char* doubled = strdup(text);
  if (strcasecmp(text, "HeLLo") == 0) return 1;
  if (strverscmp(text, "a9") == 0) return 2;
  char* slash = strrchr(text, '/');
  if (slash != NULL && strcmp(slash, "/c") == 0) return 3;
  strcpy(copy, "x");
  strncat(copy, text, 3);
  if (strcoll(copy, "xabc") == 0) return 4;
  if (memmem(text, 7, "needl", 5) == text + 1) return 5;
  char* first = strtok(doubled, ":;");
  char* second = strtok(NULL, ":;");
  if (first != NULL && second != NULL && strcmp(first, "k") == 0 && strcmp(second, "v") == 0) return 6;
  return 0;
}
