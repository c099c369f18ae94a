// A stack of heap nodes that many threads push to and one drains.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
_Atomic(struct node *) top;

void *push(void *argument) {
  struct node *node = malloc(sizeof *node);
  if (!node) abort();
  node->value = (int)(long)argument;
  struct node *old = top;
  do {
    node->next = old;
  } while (!atomic_compare_exchange_weak(&top, &old, node));
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, push, (void *)1);
  pthread_create(&t1, NULL, push, (void *)2);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  int sum = 0;
  for (struct node *at = top; at;) {
    struct node *next = at->next;
    sum += at->value;
    free(at);
    at = next;
  }
  assert(sum == 3);
  return 0;
}
