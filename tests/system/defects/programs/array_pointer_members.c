// purpose: the entry of the second language names the table of the first, with the count of the second
// defect: array-pointer-out-of-bounds line 23
// input: is_long=1 word=5
#include <plumb/plumb.h>

struct language {
  const short* words;
  unsigned count;
};

const short short_words[4] = {1, 2, 3, 5};
const short long_words[6] = {1, 2, 3, 5, 8, 13};
#ifdef FIXED
static const struct language languages[2] = {{short_words, 4}, {long_words, 6}};
#else
static const struct language languages[2] = {{short_words, 4}, {short_words, 6}};
#endif

int main(void) {
  const struct language* language = &languages[plumb_symbolic_int("is_long") != 0];
  unsigned word = plumb_symbolic_uint("word");
  if (word >= language->count) return 1;
  return language->words[word] == 13 ? 2 : 0;
}
