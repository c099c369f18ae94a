// Members of a structure are different places; two bit-fields side by side are one.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>

struct {
  unsigned a : 4;
  unsigned b : 4;
} shared;

void *first(void *unused) {
  (void)unused;
  shared.a = 1;
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  shared.b = 2;
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
