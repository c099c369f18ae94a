// purpose: a node is taken out of a list by moving the pointer over it
// defect: leak line 15
// input: key=2
#include <plumb/plumb.h>
#include <stdlib.h>

struct node {
  int key;
  struct node* next;
};

int main(void) {
  struct node* list = NULL;
  for (int key = 1; key <= 3; ++key) {
    struct node* node = malloc(sizeof *node);
    if (node == NULL) break;
    *node = (struct node){key, list};
    list = node;
  }
  int key = plumb_symbolic_int("key");
  for (struct node** link = &list; *link != NULL; link = &(*link)->next) {
    if ((*link)->key != key) continue;
    struct node* found = *link;
    *link = found->next;
#ifdef FIXED
    free(found);
#endif
    break;
  }
  while (list != NULL) {
    struct node* next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
