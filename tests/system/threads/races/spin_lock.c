// purpose: spin locks order as mutexes do
#include <pthread.h>

static pthread_spinlock_t l;
static int n;
__attribute__((constructor)) static void begin(void) { pthread_spin_init(&l, 0); }

static void *first(void *p) {
  pthread_spin_lock(&l);
  n++;
  pthread_spin_unlock(&l);
  return p;
}

static void *second(void *p) {
#ifdef RACY
  n--;
#else
  pthread_spin_lock(&l);
  n--;
  pthread_spin_unlock(&l);
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
