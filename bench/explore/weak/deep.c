// A deep space: a loop of a million rounds before the threads meet.
#include <assert.h>
#include <pthread.h>

int done, count;

void *work(void *unused) {
  (void)unused;
  for (int i = 0; i < 1000000; i++) count++;
  done = 1;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  const int before = done;
  pthread_join(thread, NULL);
  assert(count == 1000000 && done >= before);
  return 0;
}
