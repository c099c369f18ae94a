// <semaphore.h>, without names.

#include "thread.h"

struct semaphore {
  unsigned value;
};

int sem_init(struct semaphore* semaphore, int shared, unsigned value) {
  (void)shared;
  semaphore->value = value;
  return 0;
}
int sem_destroy(struct semaphore* semaphore) { return (void)semaphore, 0; }

int sem_post(struct semaphore* semaphore) {
  plumb_atomic_begin();
  ++semaphore->value;
  plumb_atomic_end();
  return 0;
}

int sem_wait(struct semaphore* semaphore) {
  plumb_atomic_begin();
  while (semaphore->value == 0) plumb_thread_wait();
  --semaphore->value;
  plumb_atomic_end();
  return 0;
}

int sem_trywait(struct semaphore* semaphore) {
  plumb_atomic_begin();
  int is_taken = semaphore->value > 0;
  if (is_taken) --semaphore->value;
  plumb_atomic_end();
  if (!is_taken) errno = EAGAIN;
  return is_taken ? 0 : -1;
}

int sem_timedwait(struct semaphore* semaphore, const void* time) {
  (void)time;
  int is_taken = 1;
  plumb_atomic_begin();
  while (semaphore->value == 0 && is_taken) is_taken = !plumb_thread_timed_wait();
  if (is_taken) --semaphore->value;
  plumb_atomic_end();
  if (!is_taken) errno = ETIMEDOUT;
  return is_taken ? 0 : -1;
}

int sem_clockwait(struct semaphore* semaphore, int clock, const void* time) {
  (void)clock;
  return sem_timedwait(semaphore, time);
}

int sem_getvalue(struct semaphore* semaphore, int* value) {
  plumb_atomic_begin();
  *value = (int)semaphore->value;
  plumb_atomic_end();
  return 0;
}
