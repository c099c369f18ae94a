// purpose: what is written before a thread is made, or behind it
#include <pthread.h>

static int data;

static void *work(void *p) {
  data++;
  return p;
}

int main(void) {
  pthread_t t;
#ifndef RACY
  data = 1;
#endif
  pthread_create(&t, NULL, work, NULL);
#ifdef RACY
  data = 1;
#endif
  pthread_join(t, NULL);
  return 0;
}
