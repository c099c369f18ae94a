// Words looked up in a text, with functions of string.h.
#include <string.h>

#include "overhead.h"

enum { kWords = 400, kLength = 24, kRounds = 300 };

static char words[kWords + 1][kLength];

static unsigned find(const char *word) {
  for (unsigned i = 0; i < kWords; i++)
    if (strcmp(words[i], word) == 0) return i;
  return kWords;
}

static unsigned work(unsigned start, unsigned input) {
  unsigned sum = 0;
  for (unsigned i = 0; i < kWords; i++) {
    strcpy(words[i], i % 3 == 0 ? "common-prefix-of-" : "word");
    size_t length = strlen(words[i]);
    for (unsigned x = i * 7919 + start; x != 0; x /= 10) words[i][length++] = (char)('0' + x % 10);
    words[i][length] = 0;
  }
  words[kWords][0] = (char)input;
  for (unsigned round = 0; round < kRounds; round++)
    for (unsigned i = 0; i < kWords; i++) {
      sum += find(words[i]) ^ (unsigned)strlen(words[i]);
      if (strchr(words[i], '7') != NULL) sum++;
      if (memcmp(words[i], words[(i + 3) % kWords], 12) == 0) sum += 3;
    }
#ifdef SHARED
  sum += strlen(words[kWords]) > kLength;
#endif
  return sum;
}
