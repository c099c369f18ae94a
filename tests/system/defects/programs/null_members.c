// purpose: the value behind the next node is read although the node may be the last
// defect: null-dereference line 16
// input: wanted=30
#include <plumb/plumb.h>
#include <stddef.h>

struct node {
  int value;
  struct node* next;
};

static int is_followed_by_larger(const struct node* node) {
#ifdef FIXED
  return node->next != NULL && node->next->value > node->value;
#else
  return node->next->value > node->value;
#endif
}

int main(void) {
  struct node third = {30, NULL}, second = {20, &third}, first = {10, &second};
  int wanted = plumb_symbolic_int("wanted");
  for (const struct node* node = &first; node != NULL; node = node->next)
    if (node->value == wanted) return is_followed_by_larger(node);
  return 2;
}
