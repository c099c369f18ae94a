// purpose: double-checked locking with a plain and with an atomic pointer
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;
#ifdef RACY
static int *instance;
#else
static int *_Atomic instance;
#endif

static int use(void) {
  if (instance == NULL) {
    pthread_mutex_lock(&m);
    if (instance == NULL) {
      value = 5;
      instance = &value;
    }
    pthread_mutex_unlock(&m);
  }
  return *instance;
}

static void *work(void *p) {
  use();
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  use();
  pthread_join(t, NULL);
  return 0;
}
