// Two flags keep two threads from each other, and each looks once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2];
static int inside;
static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

void *thread(void *argument) {
  const long self = (long)argument, other = 1 - self;
  flag[self] = 1;
  if (!flag[other]) critical();
  flag[self] = 0;
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
