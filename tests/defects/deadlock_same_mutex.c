// purpose: a thread takes a mutex that it holds
// defect: deadlock line 9
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void increment(void) {
  pthread_mutex_lock(&lock);
  ++counter;
  pthread_mutex_unlock(&lock);
}

int main(void) {
#ifndef FIXED
  pthread_mutex_lock(&lock);
#endif
  increment();
  return counter - 1;
}
