// The queue lock of Craig, Landin and Hagersten for two threads; the place in the queue is let free before the work is done.
// Fails with: 10749645
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct place {
  atomic_int is_busy;
};
struct place places[2 + 1];
_Atomic(struct place *) tail = &places[2];
static int inside;
static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

void *thread(void *argument) {
  struct place *self = &places[(long)argument];
  self->is_busy = 1;
  struct place *before = atomic_exchange(&tail, self);
  while (before->is_busy) {
  }
  self->is_busy = 0;
  critical();
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
