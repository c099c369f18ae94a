// purpose: data handed over by a semaphore, or taken without waiting
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int data;
__attribute__((constructor)) static void begin(void) { sem_init(&s, 0, 0); }

static void *first(void *p) {
  data = 1;
  sem_post(&s);
  return p;
}

static void *second(void *p) {
#ifdef RACY
  data++;
  sem_wait(&s);
#else
  sem_wait(&s);
  data++;
#endif
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
