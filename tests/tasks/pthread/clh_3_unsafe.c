// The queue lock of Craig, Landin and Hagersten for three threads; the place in the queue is let free before the work is done.
// Fails with: 11027915
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct place {
  atomic_int is_busy;
};
struct place places[3 + 1];
_Atomic(struct place *) tail = &places[3];
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
  pthread_t t0, t1, t2;
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_create(&t2, NULL, thread, (void *)2);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
