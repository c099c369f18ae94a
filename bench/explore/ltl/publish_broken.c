// The flag comes first.
// Formula: (flag == 0) U (data == 1)
// Expected: violated
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char data, flag, other;

void *first(void *unused) {
  (void)unused;
  flag = 1;
  data = 1;
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  other = 1;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
