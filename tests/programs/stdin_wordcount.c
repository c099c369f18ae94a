// purpose: a word count over standard input, character by character
// stdin: It was the best of times,\nit was the worst of times;\n\nit was the age of wisdom\n
#include <ctype.h>
#include <stdio.h>

int main(void) {
  int characters = 0, words = 0, lines = 0, inside = 0, c;
  int letters[26] = {0};
  while ((c = getchar()) != EOF) {
    ++characters;
    if (c == '\n') ++lines;
    if (isspace(c)) {
      inside = 0;
    } else if (!inside) {
      inside = 1;
      ++words;
    }
    if (isalpha(c)) ++letters[tolower(c) - 'a'];
  }
  printf("%d %d %d\n", lines, words, characters);
  for (int i = 0; i < 26; ++i) {
    if (letters[i]) printf("%c=%d ", 'a' + i, letters[i]);
  }
  printf("\n");
  return words;
}
