// pthread_once calls a function once; a flag of one's own does not.
// Fails with: 11027915
#include <assert.h>
#include <pthread.h>

int calls;
int is_done;
static void set_up(void) { calls++; }

void *thread(void *unused) {
  (void)unused;
  if (!is_done) {
    set_up();
    is_done = 1;
  }
  assert(calls == 1);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread, NULL);
  pthread_create(&t1, NULL, thread, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
