// Each thread has a counter of its own; it is one for all.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>

static int counter;

void *thread(void *unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) counter++;
  assert(counter == 2);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread, NULL);
  pthread_create(&t1, NULL, thread, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(counter == 4);
  return 0;
}
