// A command from outside is done by a worker before the event that says so; the event comes first.
// Fails with: 9505350 255
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char command, result;
int is_done;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t done = PTHREAD_COND_INITIALIZER;

static void set_done(void) {
  pthread_mutex_lock(&mutex);
  is_done = 1;
  pthread_cond_signal(&done);
  pthread_mutex_unlock(&mutex);
}

void *worker(void *unused) {
  (void)unused;
  set_done();
  result = (unsigned char)(command ^ 0x55);
  return NULL;
}

int main(void) {
  pthread_t t;
  command = __VERIFIER_nondet_uchar();
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&mutex);
  while (!is_done) pthread_cond_wait(&done, &mutex);
  pthread_mutex_unlock(&mutex);
  assert((result ^ 0x55) == command);
  pthread_join(t, NULL);
  return 0;
}
