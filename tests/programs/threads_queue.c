// purpose: producer and consumer over a bounded queue with condition variables; the result does not depend on the schedule
// flags: -pthread
#include <pthread.h>
#include <stdio.h>

enum { CAPACITY = 4, ITEMS = 50, CONSUMERS = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full;
static int queue[CAPACITY], head, count, finished;
static long sums[CONSUMERS];
static int taken;

static void put(int value) {
  pthread_mutex_lock(&lock);
  while (count == CAPACITY) pthread_cond_wait(&not_full, &lock);
  queue[(head + count++) % CAPACITY] = value;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

static int take(int *value) {
  pthread_mutex_lock(&lock);
  while (count == 0 && !finished) pthread_cond_wait(&not_empty, &lock);
  int got = count > 0;
  if (got) {
    *value = queue[head];
    head = (head + 1) % CAPACITY;
    --count;
    ++taken;
    pthread_cond_signal(&not_full);
  }
  pthread_mutex_unlock(&lock);
  return got;
}

static void *consume(void *argument) {
  long *sum = argument;
  int value;
  while (take(&value)) *sum += value;
  return NULL;
}

int main(void) {
  pthread_t consumers[CONSUMERS];
  pthread_cond_init(&not_full, NULL);
  for (int i = 0; i < CONSUMERS; ++i) pthread_create(&consumers[i], NULL, consume, &sums[i]);
  for (int i = 1; i <= ITEMS; ++i) put(i * i);
  pthread_mutex_lock(&lock);
  finished = 1;
  pthread_cond_broadcast(&not_empty);
  pthread_mutex_unlock(&lock);
  long total = 0;
  for (int i = 0; i < CONSUMERS; ++i) {
    pthread_join(consumers[i], NULL);
    total += sums[i];
  }
  pthread_cond_destroy(&not_full);
  printf("%d %ld\n", taken, total);
  return count;
}
