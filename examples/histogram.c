// Counts the letters of its standard input. The test for a letter takes one character too many, so some texts write
// past the counts, into the total: nothing crashes, and the result is wrong.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct histogram {
  unsigned count[26];
  unsigned total;
};

static int is_letter(int c) { return c >= 'a' && c <= 'z' + 1; }

static void add(struct histogram* h, int c) {
  if (is_letter(tolower(c))) h->count[tolower(c) - 'a']++;
  h->total++;
}

int main(void) {
  struct histogram* h = calloc(1, sizeof *h);
  int c;
  while ((c = getchar()) != EOF) add(h, c);
  for (int i = 0; i < 26; i++)
    if (h->count[i] != 0) printf("%c %u\n", 'a' + i, h->count[i]);
  printf("%u characters\n", h->total);
  free(h);
  return 0;
}
