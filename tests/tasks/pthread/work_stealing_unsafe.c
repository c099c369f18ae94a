// A queue of tasks: the owner takes from the bottom, a thief steals from the top, and each task is done once; for the last one the owner does not compete with the thief.
// Fails with: 15538516
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { TASKS = 2 };
atomic_int top, bottom = TASKS;
atomic_int done[TASKS];

static int take(void) {
  const int at = bottom - 1;
  bottom = at;
  int first = top;
  if (first < at) return at;
  int result = -1;
  if (first == at) {
    result = at;
    top = first + 1;
  }
  bottom = at + 1;
  return result;
}

static int steal(void) {
  int first = top;
  if (first >= bottom) return -1;
  if (!atomic_compare_exchange_strong(&top, &first, first + 1)) return -1;
  return first;
}

void *owner(void *unused) {
  (void)unused;
  for (int k = 0; k < TASKS; k++) {
    const int task = take();
    if (task >= 0) done[task]++;
  }
  return NULL;
}

void *thief(void *unused) {
  (void)unused;
  for (int k = 0; k < TASKS; k++) {
    const int task = steal();
    if (task >= 0) done[task]++;
  }
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, owner, NULL);
  pthread_create(&t1, NULL, thief, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  for (int k = 0; k < TASKS; k++) assert(done[k] <= 1);
  return 0;
}
