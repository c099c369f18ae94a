// A ticket lock for two threads; a ticket is drawn in two steps.
// Fails with: 406580
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
  const unsigned ticket = next_ticket;
  next_ticket = ticket + 1;
  while (served != ticket) {
  }
  critical();
  served = ticket + 1;
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
