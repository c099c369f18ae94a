// purpose: the destructor of a key is refused in a thread that was made before there was one
// expect: unsupported destructor
// flags: -pthread
#include <pthread.h>
#include <stdio.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void* value) { destroyed += *(int*)value; }

static void* work(void* value) {
  printf("in the thread\n");
  fflush(stdout);
  pthread_key_create(&key, destroy);
  pthread_setspecific(key, value);
  return NULL;
}

int main(void) {
  int value = 5;
  pthread_t thread;
  pthread_create(&thread, NULL, work, &value);
  pthread_join(thread, NULL);
  printf("%d\n", destroyed);
  return 0;
}
