// Options, short and long, exact and shortened, with their arguments; the variables are those of the C library.
#include <getopt.h>
#include <plumb/plumb.h>
#include <string.h>

int main(void) {
  char word[9];
  char* arguments[] = {"program", word, "file", NULL};
  static const struct option options[] = {
      {"output", required_argument, NULL, 'o'}, {"all", no_argument, NULL, 'a'}, {NULL, 0, NULL, 0}};
  plumb_symbolic(word, sizeof word, "word");
  word[8] = 0;
  opterr = 0;
  int code = getopt_long(3, arguments, "xo:", options, NULL);
  if (code == 'o' && strcmp(optarg, "file") == 0) return 1;
  if (code == 'o' && strcmp(optarg, "y") == 0) return 2;
  if (code == 'a') return 3;
  if (code == 'x' && optind == 2) return 4;
  if (code == '?' && optopt == 'z') return 5;
  if (code == -1 && optind == 2) return 6;
  return 0;
}
