// Which cell a thread writes depends on inputs that are never equal.
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int row[8];
unsigned char x, y;

void *first(void *unused) {
  (void)unused;
  row[x] = 1;
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  row[y] = 2;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  x = __VERIFIER_nondet_uchar() & 7;
  y = (x + 1 + (__VERIFIER_nondet_uchar() % 7)) & 7;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
