/* Streams, sorting, random numbers, time. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

#include "check.h"

MODEL(qsort);
MODEL(qsort_r);
MODEL(bsearch);
MODEL(rand);
MODEL(srand);
MODEL(random);
MODEL(srandom);
MODEL(rand_r);
MODEL(drand48);
MODEL(lrand48);
MODEL(mrand48);
MODEL(srand48);
MODEL(gmtime_r);
MODEL(timegm);
MODEL(mktime);
MODEL(strftime);
MODEL(asctime_r);
MODEL(div);
MODEL(lldiv);
MODEL(getenv);
MODEL(setenv);
MODEL(unsetenv);
MODEL(mbrtowc);
MODEL(wcstombs);
MODEL(putchar);
MODEL(puts);
MODEL(printf);
MODEL(getchar);
extern void *model_stdin, *model_stdout;
extern char* model_fgets(char*, int, void*);
extern int model_ungetc(int, void*);
extern int model_feof(void*);
extern void model_clearerr(void*);
extern size_t model_fread(void*, size_t, size_t, void*);
extern long model_getline(char**, size_t*, void*);
extern void* model_fopen(const char*, const char*);
extern int model_fclose(void*);
extern int model_fprintf(void*, const char*, ...);

void test_streams(void) {
  char line[16];
  model_putchar('a');
  model_puts("bc");
  model_printf("%d %s %300d", 5, "x", 1);
  const char* output = host_output();
  check(strncmp(output, "abc\n5 x  ", 9) == 0 && strlen(output) == 4 + 4 + 300, "output %s", quoted(output));

  model_clearerr(model_stdin);
  host_input("first\nsecond line that is long\nlast");
  check(strcmp(model_fgets(line, sizeof line, model_stdin), "first\n") == 0, "fgets of a line");
  check(strcmp(model_fgets(line, sizeof line, model_stdin), "second line tha") == 0, "fgets of a part");
  int byte = model_getchar();
  check(byte == 't' && model_ungetc('T', model_stdin) == 'T' && model_getchar() == 'T', "ungetc");
  char* text = NULL;
  size_t room = 0;
  check(model_getline(&text, &room, model_stdin) == 9 && strcmp(text, " is long\n") == 0, "getline");
  check(model_fread(line, 3, 2, model_stdin) == 1 && memcmp(line, "last", 4) == 0, "fread");
  check(model_feof(model_stdin) && model_getchar() == EOF && model_getline(&text, &room, model_stdin) == -1, "end");
  free(text);

  check(model_fopen("/missing", "r") == NULL, "fopen of a missing file");
  void* file = model_fopen("file", "w");
  check(file != NULL && model_fprintf(file, "%s", "text") == 4 && model_fclose(file) == 0, "a file");
  check(strcmp(host_output(), "text") == 0, "what was written to a file");
  check(model_getenv("PLUMB") == NULL && model_setenv("PLUMB", "1", 1) == 0 && strcmp(model_getenv("PLUMB"), "1") == 0,
        "setenv");
  check(model_unsetenv("PLUMB") == 0 && model_getenv("PLUMB") == NULL, "unsetenv");
  wchar_t wide = 0;
  check(model_mbrtowc(&wide, "a", 1, NULL) == 1 && wide == L'a', "mbrtowc");
  check(model_mbrtowc(&wide, "\xe9", 1, NULL) == mbrtowc(&wide, "\xe9", 1, NULL), "mbrtowc of no character");
  check(model_wcstombs(line, L"wide", sizeof line) == 4 && strcmp(line, "wide") == 0, "wcstombs");
}

struct record {
  int key;
  int place;
  char more[24];
};

/* A hash of the pairs compared, in order. */
static uint64_t calls;

static int by_key(const void* a, const void* b) {
  const struct record *left = a, *right = b;
  calls = calls * 31 + (unsigned)left->place * 1009u + (unsigned)right->place;
  return (left->key > right->key) - (left->key < right->key);
}

static int by_byte(const void* a, const void* b, void* context) {
  ++*(int*)context;
  return *(const unsigned char*)a - *(const unsigned char*)b;
}

void test_sorting(void) {
  for (int i = 0; i < 2000; ++i) {
    struct record model[40], library[40];
    size_t count = below(41);
    memset(model, 0, sizeof model);
    for (size_t k = 0; k < count; ++k) {
      model[k].key = (int)below(one_in(2) ? 10 : 1000);
      model[k].place = (int)k;
    }
    memcpy(library, model, sizeof model);
    calls = 0;
    model_qsort(model, count, sizeof model[0], by_key);
    uint64_t model_calls = calls;
    calls = 0;
    qsort(library, count, sizeof library[0], by_key);
    check_bytes(model, library, sizeof model, "qsort of %zu records", count);
    check(model_calls == calls, "qsort compares other pairs of %zu records", count);
    struct record key = {.key = (int)below(10)};
    struct record* found = model_bsearch(&key, model, count, sizeof model[0], by_key);
    check(found == bsearch(&key, model, count, sizeof model[0], by_key), "bsearch");
    unsigned char a[30], b[30];
    for (size_t k = 0; k < sizeof a; ++k) a[k] = b[k] = (unsigned char)below(256);
    int model_count = 0, library_count = 0;
    model_qsort_r(a, sizeof a, 1, by_byte, &model_count);
    qsort_r(b, sizeof b, 1, by_byte, &library_count);
    check(memcmp(a, b, sizeof a) == 0 && model_count == library_count, "qsort_r");
  }
}

void test_random(void) {
  for (int i = 0; i < 1000; ++i) check(model_rand() == rand(), "rand unseeded");
  for (int i = 0; i < 300; ++i) {
    unsigned seed = i < 3 ? (unsigned)i : (unsigned)random64(), model_seed = seed, library_seed = seed;
    model_srand(seed);
    srand(seed);
    for (int k = 0; k < 70; ++k) check(model_random() == random(), "random, seed %u", seed);
    check(model_rand_r(&model_seed) == rand_r(&library_seed) && model_seed == library_seed, "rand_r %u", seed);
    model_srand48((long)seed);
    srand48((long)seed);
    check(model_drand48() == drand48() && model_lrand48() == lrand48() && model_mrand48() == mrand48(), "drand48 %u",
          seed);
    int divisor = (int)(seed | 1);
    div_t ours = model_div(12345678, divisor), theirs = div(12345678, divisor);
    check(ours.quot == theirs.quot && ours.rem == theirs.rem, "div by %d", divisor);
  }
}

static void compare_calendar(time_t seconds) {
  static const char* const formats[] = {"%Y-%m-%d %H:%M:%S %a %A %b %B %j %U %W %u %w %y %C", "%c|%x|%X|%D|%F|%T|%R|%r",
                                        "%e %k %l %I %p %P %n%t%%|%-d %_m %-H|%s %G %g %V|%Ey %Od|%h %z %Z"};
  struct tm model, library;
  memset(&model, 0, sizeof model);
  memset(&library, 0, sizeof library);
  model_gmtime_r(&seconds, &model);
  gmtime_r(&seconds, &library);
  check_bytes(&model, &library, offsetof(struct tm, tm_isdst), "gmtime of %ld", (long)seconds);
  for (size_t i = 0; i < 3; ++i) {
    char a[400] = "", b[400] = "";
    size_t room = one_in(8) ? below(60) : sizeof a;
    size_t model_size = model_strftime(a, room, formats[i], &model),
           library_size = strftime(b, room, formats[i], &library);
    check(model_size == library_size && (library_size == 0 || strcmp(a, b) == 0), "strftime %s of %ld: %s, not %s",
          quoted(formats[i]), (long)seconds, quoted(a), quoted(b));
  }
  model.tm_mon += (int)below(40) - 20;
  model.tm_mday += (int)below(100) - 50;
  model.tm_sec += (int)below(100000) - 50000;
  library.tm_mon = model.tm_mon;
  library.tm_mday = model.tm_mday;
  library.tm_sec = model.tm_sec;
  time_t model_seconds = model_timegm(&model), library_seconds = timegm(&library);
  check(model_seconds == library_seconds, "timegm near %ld: %ld, not %ld", (long)seconds, (long)model_seconds,
        (long)library_seconds);
  if (library_seconds != -1) check_bytes(&model, &library, offsetof(struct tm, tm_isdst), "timegm leaves other fields");
}

void test_time(void) {
  setenv("TZ", "UTC", 1);
  for (int i = 0; i < 5000; ++i) {
    compare_calendar((time_t)(int32_t)random64());
    if (sizeof(time_t) == 8) compare_calendar((time_t)((int64_t)random64() >> (20 + below(20))));
  }
}
