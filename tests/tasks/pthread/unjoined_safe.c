// What a thread has written is there once it was joined.
#include <assert.h>
#include <pthread.h>

int value;

void *writer(void *unused) {
  (void)unused;
  value = 1;
  return NULL;
}

void *other(void *unused) {
  (void)unused;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  assert(value == 1);
  return 0;
}
