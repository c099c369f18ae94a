// purpose: a member of a structure that is not there, at an offset from null
// defect: null-dereference line 12
#include <stddef.h>

struct node { int padding[10]; int value; struct node *next; };

int main(void) {
  struct node last = {{0}, 0, NULL}, first = {{0}, 1, &last};
#ifdef FIXED
  return first.next->value;
#else
  return first.next->next->value;
#endif
}
