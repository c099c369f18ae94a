// main reads behind the join.
#include <assert.h>
#include <pthread.h>

int result;

void *thread(void *unused) {
  (void)unused;
  result = 7;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  pthread_join(t, NULL);
  const int seen = result;
  return seen == 1;
}
