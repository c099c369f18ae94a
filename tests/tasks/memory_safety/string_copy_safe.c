// A string is copied with its end.
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *text = "plumb";
  char *copy = malloc(strlen(text) + 1);
  if (!copy) return 0;
  int i = 0;
  while (text[i]) {
    copy[i] = text[i];
    i++;
  }
  copy[i] = 0;
  free(copy);
  return 0;
}
