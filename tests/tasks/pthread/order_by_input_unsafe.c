// Two accounts are locked by rising number, whatever the inputs are; the source is locked first.
// Fails with: 3154749 255 0
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int balance[2] = {100, 100};

static void transfer(int from, int to) {
  const int first = from, second = to;
  pthread_mutex_lock(&lock[first]);
  pthread_mutex_lock(&lock[second]);
  balance[from]--;
  balance[to]++;
  pthread_mutex_unlock(&lock[second]);
  pthread_mutex_unlock(&lock[first]);
}

void *thread(void *argument) {
  const int from = *(unsigned char *)argument & 1;
  transfer(from, 1 - from);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
  pthread_create(&t0, NULL, thread, &x);
  pthread_create(&t1, NULL, thread, &y);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
