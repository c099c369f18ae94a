// purpose: a list is freed by following the next pointers of freed nodes
// defect: use-after-free line 21
#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 3; ++i) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 0;
    n->next = list;
    list = n;
  }
#ifdef FIXED
  for (struct node *n = list, *next; n; n = next) {
    next = n->next;
    free(n);
  }
#else
  for (struct node *n = list; n; n = n->next) {
    free(n);
  }
#endif
  return 0;
}
