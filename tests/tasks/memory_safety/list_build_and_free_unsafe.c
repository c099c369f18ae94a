// A list of a few nodes is built, walked and freed.
// Fails with: no input
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->value = i;
    n->next = head;
    head = n;
  }
  while (head) {
    struct node *next = head->next;
    free(head);
    head = head->next;
  }
  return 0;
}
