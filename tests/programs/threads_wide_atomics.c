// purpose: atomic objects that no processor has instructions for
// flags: -pthread -latomic
#include <stdatomic.h>
#include <stdio.h>

struct wide {
  long numbers[3];
};
static _Atomic struct wide shared;

int main(void) {
  struct wide first = {{1, 2, 3}}, expected = first, desired = {{4, 5, 6}};
  atomic_store(&shared, first);
  printf("%d", atomic_compare_exchange_strong(&shared, &expected, desired));
  printf(" %d", atomic_compare_exchange_strong(&shared, &expected, desired));
  struct wide old = atomic_exchange(&shared, first);
  printf(" %ld %ld", expected.numbers[0], old.numbers[2]);
  old = atomic_load(&shared);
  printf(" %ld %d\n", old.numbers[1], atomic_is_lock_free(&shared));
  return 0;
}
