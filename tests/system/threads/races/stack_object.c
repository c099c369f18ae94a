// purpose: a variable of main that a thread has the address of
#include <pthread.h>

static void *work(void *p) {
  *(int *)p = 4;
  return NULL;
}

int main(void) {
  pthread_t t;
  int own = 0;
  pthread_create(&t, NULL, work, &own);
#ifdef RACY
  own++;
#endif
  pthread_join(t, NULL);
  own++;
  return 0;
}
