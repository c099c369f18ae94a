// A flag that is atomic orders the accesses to the data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int data;

void *sender(void *unused) {
  (void)unused;
  data = 5;
  flag = 1;
  return NULL;
}

void *receiver(void *unused) {
  (void)unused;
  if (flag) data++;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, sender, NULL);
  pthread_create(&t1, NULL, receiver, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
