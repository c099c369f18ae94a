/* scanf: results, what was stored and how much was consumed, from strings and from streams. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

MODEL(sscanf);
extern int model_fscanf(void*, const char*, ...);
extern int model___isoc23_sscanf(const char*, const char*, ...);
extern int model_fgetc(void*);
extern void model_clearerr(void*);
extern void* model_stdin;

/* Room for what the conversions of one format store. */
union target {
  long long integer;
  long double real;
  char text[64];
};

static void compare(const char* text, const char* format) {
  union target model[4], library[4];
  memset(model, 'x', sizeof model);
  memset(library, 'x', sizeof library);
  int a = model_sscanf(text, format, &model[0], &model[1], &model[2], &model[3]);
  int b = sscanf(text, format, &library[0], &library[1], &library[2], &library[3]);
  check(a == b, "sscanf %s %s: %d, not %d", quoted(text), quoted(format), a, b);
  check_bytes(model, library, sizeof model, "sscanf %s %s stores otherwise", quoted(text), quoted(format));
}

/* The same from a stream: what is left must be the same too. */
static void compare_stream(const char* text, const char* format) {
  union target model[4], library[4];
  memset(model, 'x', sizeof model);
  memset(library, 'x', sizeof library);
  if (*text == 0) return;
  FILE* stream = fmemopen((char*)text, strlen(text), "r");
  host_input(text);
  model_clearerr(model_stdin);
  int a = model_fscanf(model_stdin, format, &model[0], &model[1], &model[2], &model[3]);
  int b = fscanf(stream, format, &library[0], &library[1], &library[2], &library[3]);
  check(a == b, "fscanf %s %s: %d, not %d", quoted(text), quoted(format), a, b);
  check_bytes(model, library, sizeof model, "fscanf %s %s stores otherwise", quoted(text), quoted(format));
  int left;
  do {
    left = fgetc(stream);
    int model_left = model_fgetc(model_stdin);
    check(model_left == left, "fscanf %s %s leaves %d, not %d", quoted(text), quoted(format), model_left, left);
    if (model_left != left) break;
  } while (left != EOF);
  fclose(stream);
}

static const char* const formats[] = {
    "%d",       "%i",     "%u",    "%x",        "%o",     "%ld%n", "%lld",      "%hd",    "%hhd",         "%3d%d",
    "%f",       "%lf",    "%Lf",   "%5lf%n",    "%le%s",  "%s",    "%3s%s",     "%c%c",   "%3c",          "%[a-c]%n",
    "%[^,],%s", "%*d%d",  "%d,%d", " %d %% %d", "%d%%",   "%p",    "%5[^]a]%n", "%[]a-]", "%n%d",         "%li%n",
    "%*s%n",    "%2f%lf", "%x%s",  "abc%d",     "%d%s%d", "%zu",   "%jd%c",     "%hx%n",  "%1d%1d%1d%1d", "%4i%n",
};

void test_scanf(void) {
  static const char* const texts[] = {"",
                                      " ",
                                      "12",
                                      "-12 x",
                                      "0x1fz",
                                      "0x",
                                      "0xg",
                                      "0b11",
                                      "1e",
                                      "1e+",
                                      "1e+5",
                                      ".",
                                      "-.5e-3",
                                      "0x1.8p1",
                                      "inf",
                                      "infinit",
                                      "INFINITY",
                                      "nan",
                                      "nanx",
                                      "in",
                                      "+",
                                      "99999999999999999999",
                                      "-99999999999999999999",
                                      "abc12",
                                      "1,2",
                                      "5%",
                                      "5 % 6",
                                      "(nil)",
                                      "(nix",
                                      "3000000000",
                                      "1.5.5",
                                      "12a34",
                                      "]a-b",
                                      "0x1p",
                                      "1e5e5",
                                      "077",
                                      "089"};
  enum { Formats = sizeof formats / sizeof formats[0] };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    for (size_t k = 0; k < Formats; ++k) {
      compare(texts[i], formats[k]);
      compare_stream(texts[i], formats[k]);
    }
  }
  for (int i = 0; i < 20000; ++i) {
    char text[40];
    random_text(text, 14, one_in(2) ? "0123456789.e-+ x" : "abc],% 12-0xef.\n");
    compare(text, formats[below(Formats)]);
    if (one_in(4)) compare_stream(text, formats[below(Formats)]);
  }
  char* word = NULL;
  check(model_sscanf("  word rest", "%ms", &word) == 1 && strcmp(word, "word") == 0, "sscanf %%ms");
  free(word);
  int number = 0;
  check(model___isoc23_sscanf("0b101", "%i", &number) == 1 && number == 5, "__isoc23_sscanf 0b101");
}
