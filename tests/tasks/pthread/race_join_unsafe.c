// main reads behind the join, before it.
// Fails with: 406580
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
  const int seen = result;
  pthread_join(t, NULL);
  return seen == 1;
}
