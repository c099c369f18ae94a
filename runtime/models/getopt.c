// <getopt.h>: getopt, getopt_long and getopt_long_only as in glibc: arguments that are no options are moved behind the
// options, unless the short options start with + or POSIXLY_CORRECT asks for it; a - at the start gives them as options
// of code 1.

#include "host.h"
#include "text.h"

// The stream and the variables are ours (getopt_variables.c), or those of the C library beside us.
extern void* stderr;
int fprintf(void* restrict stream, const char* restrict format, ...);
extern char* optarg;
extern int optind;
extern int opterr;
extern int optopt;

struct option {
  const char* name;
  int has_argument;  // 0 no, 1 yes, 2 perhaps
  int* flag;
  int value;
};

static int started;
static char* next_letter;  // within a cluster of short options
static int first_plain;    // arguments that are no options and were passed over stand here,
static int last_plain;     // and end before this place

// Moves the arguments from `last_plain` up to `end` before those that were passed over.
static void exchange(char** arguments, int end) {
  while (last_plain < end) {
    char* option = arguments[last_plain];
    for (int i = last_plain; i > first_plain; --i) arguments[i] = arguments[i - 1];
    arguments[first_plain++] = option;
    ++last_plain;
  }
}

static int complain(char** arguments, const char* options, const char* text, const char* prefix, const char* name,
                    size_t size) {
  int silent = *options == ':';
  if (opterr && !silent) fprintf(stderr, "%s: %s'%s%.*s'\n", arguments[0], text, prefix, (int)size, name);
  return '?';
}

// An option that lacks its argument.
static int complain_argument(char** arguments, const char* options, const char* text, const char* prefix,
                             const char* name) {
  if (*options == ':') return ':';
  if (opterr) fprintf(stderr, "%s: %s'%s%s' requires an argument\n", arguments[0], text, prefix, name);
  return '?';
}

static int is_same(const struct option* a, const struct option* b) {
  return a->has_argument == b->has_argument && a->flag == b->flag && a->value == b->value;
}

// The option that starts with the name: exact, or the only one. `found` is how many differ among them.
static const struct option* find_long(const char* name, size_t size, const struct option* all, int only_long,
                                      int* found) {
  const struct option* result = NULL;
  *found = 0;
  for (const struct option* at = all; at->name != NULL; ++at) {
    if (strncmp(at->name, name, size) != 0) continue;
    if (strlen(at->name) == size) {
      *found = 1;
      return at;
    }
    *found += result == NULL || only_long || !is_same(at, result);
    if (result == NULL) result = at;
  }
  return result;
}

static void complain_ambiguous(char** arguments, const char* name, size_t size, const struct option* all, int only_long,
                               const char* prefix) {
  const struct option* first = NULL;
  fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", arguments[0], prefix, name);
  for (const struct option* at = all; at->name != NULL; ++at) {
    if (strncmp(at->name, name, size) != 0) continue;
    if (first == NULL || only_long || !is_same(at, first)) fprintf(stderr, " '%s%s'", prefix, at->name);
    if (first == NULL) first = at;
  }
  fprintf(stderr, "\n");
}

static int take_long(int count, char** arguments, const char* options, const struct option* all, int* index,
                     int only_long, const char* prefix) {
  char* name = arguments[optind] + strlen(prefix);
  size_t size = strcspn(name, "=");
  int found;
  const struct option* option = find_long(name, size, all, only_long, &found);
  next_letter = NULL;
  ++optind;
  if (found != 1) {
    optopt = 0;
    if (found == 0) return complain(arguments, options, "unrecognized option ", prefix, name, size);
    if (opterr && *options != ':') complain_ambiguous(arguments, name, size, all, only_long, prefix);
    return '?';
  }
  if (name[size] == '=' && option->has_argument == 0) {
    optopt = option->value;
    if (opterr && *options != ':') {
      fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", arguments[0], prefix, option->name);
    }
    return '?';
  }
  if (name[size] == '=') {
    plumb_apart();
    optarg = name + size + 1;
  } else if (option->has_argument == 1) {
    if (optind >= count) {
      optopt = option->value;
      return complain_argument(arguments, options, "option ", prefix, option->name);
    }
    optarg = arguments[optind++];
  }
  if (index != NULL) *index = (int)(option - all);
  if (option->flag == NULL) return option->value;
  *option->flag = option->value;
  return 0;
}

static int take_short(int count, char** arguments, const char* options) {
  char letter = *next_letter++;
  const char* known = letter != ':' && letter != ';' ? strchr(options, letter) : NULL;
  int ends = 0;
  if (*next_letter == 0) {
    plumb_apart();
    ends = 1;
    ++optind;
  }
  if (known == NULL) {
    optopt = letter;
    if (opterr && *options != ':') fprintf(stderr, "%s: invalid option -- '%c'\n", arguments[0], letter);
    return '?';
  }
  if (known[1] != ':') return *known;
  optarg = !ends ? next_letter : NULL;
  if (!ends) ++optind;
  if (ends && known[2] != ':') {
    if (optind >= count) {
      optopt = *known;
      if (opterr && *options != ':') {
        fprintf(stderr, "%s: option requires an argument -- '%c'\n", arguments[0], letter);
      }
      next_letter = NULL;
      return *options == ':' ? ':' : '?';
    }
    optarg = arguments[optind++];
  }
  next_letter = NULL;
  return *known;
}

static int is_option(const char* argument) { return argument[0] == '-' && argument[1] != 0; }

char* getenv(const char* name);

// Finds the next argument with options; gives -1 at their end, 1 for a plain argument in order, 0 for an option.
static int find_options(int count, char** arguments, char mode) {
  if (mode == 0) {
    if (first_plain != last_plain && last_plain != optind) exchange(arguments, optind);
    if (first_plain == last_plain) first_plain = optind;
    while (optind < count && !is_option(arguments[optind])) ++optind;
    last_plain = optind;
  }
  if (optind < count && strncmp(arguments[optind], "--", 3) == 0) {
    ++optind;
    if (first_plain != last_plain && last_plain != optind) exchange(arguments, optind);
    if (first_plain == last_plain) first_plain = optind;
    last_plain = count;
    optind = count;
  }
  if (optind >= count) {
    if (first_plain != last_plain) optind = first_plain;
    return -1;
  }
  if (is_option(arguments[optind])) return 0;
  if (mode == '+') return -1;
  optarg = arguments[optind++];
  return 1;
}

static int get_option(int count, char** arguments, const char* options, const struct option* all, int* index,
                      int only_long) {
  optarg = NULL;
  if (count < 1) return -1;
  if (optind == 0 || !started) {
    started = 1;
    if (optind == 0) optind = 1;
    first_plain = last_plain = optind;
    next_letter = NULL;
  }
  char mode = *options == '+' || *options == '-' ? *options : getenv("POSIXLY_CORRECT") != NULL ? '+' : 0;
  if (*options == '+' || *options == '-') ++options;
  if (next_letter == NULL || *next_letter == 0) {
    if (last_plain > optind) last_plain = optind;
    if (first_plain > optind) first_plain = optind;
    int kind = find_options(count, arguments, mode);
    if (kind != 0) return kind;
    char* argument = arguments[optind];
    if (all != NULL && argument[1] == '-') return take_long(count, arguments, options, all, index, only_long, "--");
    int is_short = strchr(options, argument[1]) != NULL;
    if (all != NULL && only_long && (argument[2] != 0 || !is_short)) {
      int found;
      find_long(argument + 1, strcspn(argument + 1, "="), all, only_long, &found);
      if (found > 0 || !is_short) return take_long(count, arguments, options, all, index, only_long, "-");
    }
    next_letter = argument + 1;
  }
  return take_short(count, arguments, options);
}

int getopt(int count, char* const arguments[], const char* options) {
  return get_option(count, (char**)arguments, options, NULL, NULL, 0);
}
int __posix_getopt(int count, char* const arguments[], const char* options) {
  return get_option(count, (char**)arguments, options, NULL, NULL, 0);
}
int getopt_long(int count, char* const arguments[], const char* options, const struct option* all, int* index) {
  return get_option(count, (char**)arguments, options, all, index, 0);
}
int getopt_long_only(int count, char* const arguments[], const char* options, const struct option* all, int* index) {
  return get_option(count, (char**)arguments, options, all, index, 1);
}
