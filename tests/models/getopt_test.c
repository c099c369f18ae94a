/* getopt and getopt_long on random arguments: codes, arguments of options, places, and the order of arguments after. */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

extern char* model_optarg;
extern int model_optind, model_opterr, model_optopt;
MODEL(getopt);
MODEL(getopt_long);
MODEL(getopt_long_only);

enum { Most = 7 };

static const struct option long_options[] = {{"all", no_argument, NULL, 'a'},
                                             {"file", required_argument, NULL, 'f'},
                                             {"filter", optional_argument, NULL, 1000},
                                             {"verbose", no_argument, NULL, 'v'},
                                             {NULL, 0, NULL, 0}};

static const char* const words[] = {
    "-a",     "-b",        "-ab",      "-c",    "-cx",    "-d",       "-dy",     "-abcz",    "plain",  "other",
    "-",      "--",        "-z",       "--all", "--file", "--file=x", "--fil=y", "--filter", "--f",    "--filter=1",
    "--verb", "--unknown", "--all=no", "-file", "-all",   "-\xe9",    "-fil",    "-ver",     "--filt", "-f=3"};

static int call(int is_model, int kind, int count, char** arguments, const char* options, int* index) {
  if (is_model) {
    return kind == 0   ? model_getopt(count, arguments, options)
           : kind == 1 ? model_getopt_long(count, arguments, options, long_options, index)
                       : model_getopt_long_only(count, arguments, options, long_options, index);
  }
  return kind == 0   ? getopt(count, arguments, options)
         : kind == 1 ? getopt_long(count, arguments, options, long_options, index)
                     : getopt_long_only(count, arguments, options, long_options, index);
}

void test_getopt(void) {
  static const char* const option_lists[] = {"abc:d::", "+abc:d::", "-abc:d::", ":abc:d::", "a"};
  /* What the library says goes to a stream of ours, what the models say to the host. */
  FILE* kept = stderr;
  char* messages = NULL;
  size_t size;
  for (int i = 0; i < 20000; ++i) {
    opterr = model_opterr = one_in(3);
    stderr = open_memstream(&messages, &size);
    host_output();
    const char* options = option_lists[below(5)];
    int kind = (int)below(3), count = 1 + (int)below(Most), result;
    char *model[Most + 2] = {"program"}, *library[Most + 2] = {"program"}, all[200] = "";
    for (int k = 1; k < count; ++k) {
      model[k] = library[k] = (char*)words[below(sizeof words / sizeof words[0])];
      strcat(strcat(all, " "), model[k]);
    }
    optind = model_optind = 0;
    do {
      int index = -1, model_index = -1;
      result = call(0, kind, count, library, options, &index);
      int model_result = call(1, kind, count, model, options, &model_index);
      check(model_result == result && model_optind == optind && model_optarg == optarg && model_index == index,
            "getopt %d %s%s: %d at %d, not %d at %d", kind, quoted(options), all, model_result, model_optind, result,
            optind);
      check(result != '?' || model_optopt == optopt, "getopt %d %s%s: optopt %d, not %d", kind, quoted(options), all,
            model_optopt, optopt);
      if (model_result != result) break;
    } while (result != -1);
    check_bytes(model, library, sizeof model, "getopt %d %s%s: order", kind, quoted(options), all);
    fclose(stderr);
    const char* model_messages = host_output();
    check(strcmp(model_messages, messages) == 0, "getopt %d %s%s: says %s, not %s", kind, quoted(options), all,
          quoted(model_messages), quoted(messages));
    free(messages);
  }
  stderr = kept;
}
