// A ticket lock for four threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next_ticket, served;
static int inside;
static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

void *thread(void *unused) {
  (void)unused;
  const unsigned ticket = atomic_fetch_add(&next_ticket, 1);
  while (served != ticket) {
  }
  critical();
  served = ticket + 1;
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2, t3;
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_create(&t2, NULL, thread, (void *)2);
  pthread_create(&t3, NULL, thread, (void *)3);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  pthread_join(t3, NULL);
  return 0;
}
