// Phases that a barrier keeps apart; in the second the neighbour's cell is written, while it is read.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>

int cell[2], sum[2];
pthread_barrier_t barrier;

void *thread(void *argument) {
  const long self = (long)argument;
  cell[self] = 1;
  pthread_barrier_wait(&barrier);
  sum[self] = cell[0] + cell[1];
  cell[self] = 0;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
