// The access without the lock happens for inputs that there are not, for one input that there is.
// Fails with: 8505100 43
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int shared;
unsigned char input;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *thread(void *unused) {
  (void)unused;
  if ((unsigned char)(input * 3) == 129 && input < 128) shared = 1;
  pthread_mutex_lock(&mutex);
  shared = 2;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  input = __VERIFIER_nondet_uchar();
  pthread_create(&t0, NULL, thread, NULL);
  pthread_create(&t1, NULL, thread, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
