// A token goes round; who has it may write; one passes it on before it writes.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3 };
atomic_int token;
int writer = -1;

void *thread(void *argument) {
  const int self = (int)(long)argument;
  while (token != self) {
  }
  writer = self;
  token = (self + 1) % THREADS;
  assert(writer == self);
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
