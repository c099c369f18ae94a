// purpose: a list is gone through until a key is found; a key that is not there leads past its end
// defect: null-dereference line 20
// input: key=4
#include <plumb/plumb.h>
#include <stddef.h>

struct entry {
  int key, value;
  const struct entry* next;
};

static const struct entry c = {9, 1, NULL}, b = {5, 2, &c}, a = {0, 3, &b};

int main(void) {
  int key = plumb_symbolic_int("key");
  const struct entry* at = &a;
#ifdef FIXED
  while (at != NULL && at->key != key) at = at->next;
#else
  while (at->key != key) at = at->next;
#endif
  if (at == NULL) return 7;
  return at->value;
}
