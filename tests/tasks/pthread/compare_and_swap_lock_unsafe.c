// A lock that is taken by compare and swap, and is tried again only once it looked free; who fails takes it nevertheless.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int owner;
static int inside;
static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

static void lock(int self) {
  for (;;) {
    int nobody = 0;
    if (atomic_compare_exchange_strong(&owner, &nobody, self)) return;
    while (owner != 0) {
    }
    owner = self;
    return;
  }
}

void *thread(void *argument) {
  const int self = (int)(long)argument + 1;
  lock(self);
  critical();
  owner = 0;
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2;
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_create(&t2, NULL, thread, (void *)2);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
