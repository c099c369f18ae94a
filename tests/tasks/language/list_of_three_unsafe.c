// A list on the heap keeps its order when it is turned round.
// Fails with: no input
#include <assert.h>
#include <stdlib.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 0;
    n->value = i;
    n->next = list;
    list = n;
  }
  struct node *turned = 0;
  while (list) {
    struct node *next = list->next;
    list->next = turned;
    turned = list;
    list = next;
  }
  int expected = 0;
  for (struct node *n = turned; n; n = n->next) {
    __VERIFIER_assert(n->value == expected);
    expected++;
  }
  __VERIFIER_assert(expected == 4);
  return 0;
}
