// Lamport's fast mutual exclusion: one thread alone needs no loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 2 };
atomic_int x, y, is_busy[THREADS + 1];
static int inside;
static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

static void lock(int self) {
start:
  is_busy[self] = 1;
  x = self;
  if (y != 0) {
    is_busy[self] = 0;
    while (y != 0) {
    }
    goto start;
  }
  y = self;
  if (x != self) {
    is_busy[self] = 0;
    for (int other = 1; other <= THREADS; other++)
      while (is_busy[other]) {
      }
    if (y != self) {
      while (y != 0) {
      }
      goto start;
    }
  }
}

void *thread(void *argument) {
  const int self = (int)(long)argument + 1;
  lock(self);
  critical();
  y = 0;
  is_busy[self] = 0;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
