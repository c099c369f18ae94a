// purpose: qsort and bsearch over several element sizes, with sorted, reversed and equal keys
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
  char name[6];
  short key;
  int order;
};

static int by_int(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}
static int by_char_down(const void *a, const void *b) { return *(const char *)b - *(const char *)a; }
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_record(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  return x->key != y->key ? x->key - y->key : x->order - y->order;
}

int main(void) {
  int numbers[100];
  unsigned state = 12345;
  for (int i = 0; i < 100; ++i) numbers[i] = (int)((state = state * 1103515245u + 12345u) >> 16) % 500 - 250;
  qsort(numbers, 100, sizeof *numbers, by_int);
  long hash = 0;
  for (int i = 0; i < 100; ++i) {
    if (i && numbers[i - 1] > numbers[i]) return 1;
    hash = hash * 7 % 1000003 + numbers[i];
  }
  printf("%d %d %ld\n", numbers[0], numbers[99], hash);
  qsort(numbers, 100, sizeof *numbers, by_int);
  int key = numbers[42], missing = 1000;
  int *found = bsearch(&key, numbers, 100, sizeof *numbers, by_int);
  printf("%d %d\n", found && *found == key, bsearch(&missing, numbers, 100, sizeof *numbers, by_int) == NULL);
  char text[] = "the quick brown fox";
  qsort(text, strlen(text), 1, by_char_down);
  printf("%s|\n", text);
  const char *words[] = {"pear", "apple", "fig", "banana", "cherry"};
  qsort(words, 5, sizeof *words, by_text);
  for (int i = 0; i < 5; ++i) printf("%s ", words[i]);
  struct record records[12];
  for (int i = 0; i < 12; ++i) {
    records[i] = (struct record){"", (short)(i * 7 % 4), i};
    snprintf(records[i].name, sizeof records[i].name, "r%d", i);
  }
  qsort(records, 12, sizeof *records, by_record);
  for (int i = 0; i < 12; ++i) printf("%s:%d ", records[i].name, records[i].key);
  printf("\n");
  qsort(numbers, 0, sizeof *numbers, by_int);
  return records[0].order;
}
