// purpose: the nodes of a list are released in a loop that reads the next node from the one just released
// defect: use-after-free line 20
// input: count=1
#include <plumb/plumb.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* next;
};

static void release(struct node* node) {
  while (node != NULL) {
#ifdef FIXED
    struct node* next = node->next;
    free(node);
    node = next;
#else
    free(node);
    node = node->next;
#endif
  }
}

int main(void) {
  struct node* list = NULL;
  int count = plumb_symbolic_uchar("count") % 2;
  for (int i = 0; i < count; ++i) {
    struct node* node = malloc(sizeof *node);
    if (node == NULL) break;
    *node = (struct node){i, list};
    list = node;
  }
  release(list);
  return 0;
}
