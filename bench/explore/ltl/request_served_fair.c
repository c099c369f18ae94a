// A server answers each request.
// Formula: G (request == 1 -> F (served == 1))
// Expected: holds
// Fairness: weak
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char request, served;

void *first(void *unused) {
  (void)unused;
  for (;;) {
    served = 0;
    request = 1;
    while (!(request == 0)) {
    }
  }
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  for (;;) {
    while (!(request == 1)) {
    }
    served = 1;
    request = 0;
  }
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
