// A list on the heap, walked many times: dependent loads in small objects.
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  long value;
};

int main(void) {
  struct node *list = NULL;
  for (long i = 0; i < 5000; ++i) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->value = i * 7919 % 5003;
    n->next = list;
    list = n;
  }
  long sum = 0;
  for (int round = 0; round < 1200; ++round) {
    for (struct node *n = list; n; n = n->next) sum += n->value ^ round;
  }
  printf("%ld\n", sum);
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
