// What sscanf reads: numbers, words and sets, and how many.
#include <plumb/plumb.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[8], word[8] = "";
  int a = 0, b = 0;
  plumb_symbolic(text, sizeof text, "text");
  text[7] = 0;
  int count = sscanf(text, "%d,%d", &a, &b);
  if (count == 2 && a == 12 && b == -3) return 1;
  if (count == 1 && a == 55) return 2;
  if (count == EOF) return 3;
  if (sscanf(text, "k=%7[a-f]", word) == 1 && strcmp(word, "bad") == 0) return 4;
  return 0;
}
