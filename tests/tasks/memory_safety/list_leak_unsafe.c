// The nodes of a list are all given back.
// Fails with: 1 1 0
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);

struct node {
  struct node *next;
};

int main(void) {
  struct node *head = NULL;
  int count = 0;
  while (count < 3 && __VERIFIER_nondet_bool()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->next = head;
    head = n;
    count++;
  }
  while (head && head->next) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  head = NULL;
  return 0;
}
