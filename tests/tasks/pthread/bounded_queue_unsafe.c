// A queue of two places with two conditions; two consumers and a producer; the consumer looks once whether there is something.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>

enum { PLACES = 2 };
int queue[PLACES], count, in, out, sum;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;

void *producer(void *unused) {
  (void)unused;
  for (int k = 1; k <= 2; k++) {
    pthread_mutex_lock(&mutex);
    while (count == PLACES) pthread_cond_wait(&not_full, &mutex);
    queue[in] = k;
    in = (in + 1) % PLACES;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

void *consumer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  if (count == 0) pthread_cond_wait(&not_empty, &mutex);
  assert(count > 0);
  sum += queue[out];
  out = (out + 1) % PLACES;
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2;
  pthread_create(&t0, NULL, producer, NULL);
  pthread_create(&t1, NULL, consumer, NULL);
  pthread_create(&t2, NULL, consumer, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  assert(sum == 3 && count == 0);
  return 0;
}
