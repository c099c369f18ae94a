// pthread_getspecific gives each thread what it has set.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int place[2];

void *thread(void *argument) {
  const long self = (long)argument;
  pthread_setspecific(key, &place[self]);
  int *mine = pthread_getspecific(key);
  assert(mine == &place[self]);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_key_create(&key, NULL);
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
