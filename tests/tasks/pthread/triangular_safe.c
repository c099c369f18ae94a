// Two threads set their number to the other's plus one: how high they come.
#include <assert.h>
#include <pthread.h>

int i = 3, j = 6;
enum { ROUNDS = 4, LIMIT = 6 + 2 * ROUNDS - 0 };

void *first(void *unused) {
  (void)unused;
  for (int k = 0; k < ROUNDS; k++) i = j + 1;
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  for (int k = 0; k < ROUNDS; k++) j = i + 1;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(i <= LIMIT && j <= LIMIT);
  return 0;
}
