// Takes a text apart into words, turns them around, joins them again and looks for patterns.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "overhead.h"

static void make_text(char* text, size_t size) {
  unsigned state = 7;
  for (size_t i = 0; i + 1 < size; ++i) {
    state = state * 1103515245u + 12345u;
    unsigned digit = state >> 16 & 31;
    text[i] = digit < 26 ? (char)('a' + digit) : ' ';
  }
  text[size - 1] = 0;
}

static void turn_around(char* word, size_t length) {
  for (size_t i = 0, j = length; i + 1 < j; ++i) {
    char kept = word[i];
    word[i] = word[--j];
    word[j] = kept;
  }
}

static size_t find(const char* text, const char* pattern) {
  size_t found = 0;
  for (; *text != 0; ++text) {
    const char *t = text, *p = pattern;
    while (*p != 0 && *t == *p) {
      ++t;
      ++p;
    }
    if (*p == 0) ++found;
  }
  return found;
}

static size_t transform(const char* from, char* to) {
  size_t used = 0, words = 0;
  while (*from != 0) {
    char word[32];
    size_t length = 0;
    while (*from == ' ') ++from;
    while (*from != 0 && *from != ' ' && length + 1 < sizeof word) word[length++] = *from++;
    if (length == 0) continue;
    word[length] = 0;
    turn_around(word, length);
    word[0] = (char)(word[0] - 'a' + 'A');
    if (used > 0) to[used++] = ' ';
    memcpy(to + used, word, length);
    used += length;
    ++words;
  }
  to[used] = 0;
  return words;
}

int main(int argc, char** argv) {
  size_t size = argc > 1 ? (size_t)atol(argv[1]) : 20000000;
  char* text = malloc(size);
  char* made = malloc(size + 1);
  size_t sum = 0;
  make_text(text, size);
  for (int round = 0; round < 4; ++round) {
    sum += transform(text, made);
    sum += find(made, "ab") + find(made, "Zed") + find(text, "plumb") + strlen(made);
    for (size_t i = 0; made[i] != 0; ++i)
      text[i] = made[i] >= 'A' && made[i] <= 'Z' ? (char)(made[i] - 'A' + 'a') : made[i];
  }
  printf("%zu\n", sum);
  free(text);
  free(made);
  tell_seconds();
  return 0;
}
