// What a thread returns comes to who joins it.
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

void *twice(void *argument) { return (void *)(2 * (long)argument); }
void *thrice(void *argument) {
  if ((long)argument == 0) return NULL;
  pthread_exit((void *)(3 * (long)argument));
}

int main(void) {
  const long input = __VERIFIER_nondet_uchar();
  pthread_t a, b;
  void *first, *second;
  pthread_create(&a, NULL, twice, (void *)input);
  pthread_create(&b, NULL, thrice, (void *)input);
  pthread_join(a, &first);
  pthread_join(b, &second);
  assert((long)first == 2 * input && (long)second == 3 * input);
  return 0;
}
