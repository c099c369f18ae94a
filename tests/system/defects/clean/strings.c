// purpose: functions of string.h up to the very ends of their buffers
#define _GNU_SOURCE
#include <plumb/plumb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char text[6], exact[6], *save = NULL;
  plumb_symbolic(text, sizeof text, "text");
  text[5] = '\0';
  strcpy(exact, text);
  strncpy(exact, text, sizeof exact);
  memmove(exact + 1, exact, 4);
  exact[5] = '\0';
  char* copy = strdup(text);
  char* part = strndup(text, 3);
  if (copy == NULL || part == NULL) return 1;
  int words = 0;
  for (char* word = strtok_r(copy, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save)) words++;
  char number[12];
  int length = snprintf(number, sizeof number, "%d", 10 * words);
  long back = strtol(number, NULL, 10);
  if (strchr(text, ',') != NULL && strrchr(text, ';') == NULL) words += 10;
  if (memchr(text, 'z', sizeof text) == text + 4) words += 20;
  if (strstr(exact, "ab") == exact + 1) words += 30;
  free(copy);
  free(part);
  return length > 3 && back == words;
}
