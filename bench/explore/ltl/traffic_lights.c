// Two lights are never green together.
// Formula: G !(north == 1 && east == 1)
// Expected: holds
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char north, east, turn;

void *first(void *unused) {
  (void)unused;
  for (;;) {
    while (!(turn == 0)) {
    }
    north = 1;
    north = 0;
    turn = 1;
  }
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  for (;;) {
    while (!(turn == 1)) {
    }
    east = 1;
    east = 0;
    turn = 0;
  }
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
