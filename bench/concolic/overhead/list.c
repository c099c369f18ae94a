// A list on the heap: built, walked, reversed.
#include <stdlib.h>

#include "overhead.h"

enum { kLength = 2000, kRounds = 24000 };

struct node {
  struct node *next;
  unsigned value, weight;
};

static struct node *push(struct node *list, unsigned value) {
  struct node *node = malloc(sizeof *node);
  if (node == NULL) abort();
  node->next = list;
  node->value = value;
  node->weight = 1;
  return node;
}

static struct node *reverse(struct node *list) {
  struct node *done = NULL;
  while (list != NULL) {
    struct node *next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}

static unsigned total(const struct node *list) {
  unsigned sum = 0;
  for (; list != NULL; list = list->next)
    if (list->value & 1) sum += list->value * list->weight;
  return sum;
}

static unsigned work(unsigned start, unsigned input) {
  struct node *list = NULL;
  unsigned sum = 0;
  for (unsigned i = 0; i < kLength; i++) list = push(list, i * start);
#ifdef SHARED
  struct node *other = push(NULL, input);
  total(reverse(other));
#else
  (void)input;
#endif
  for (unsigned round = 0; round < kRounds; round++) {
    sum += total(list);
    if (round % 16 == 0) list = reverse(list);
  }
  return sum;
}
