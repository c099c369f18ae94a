// purpose: threads that count with atomic operations and hand over through an atomic flag
// flags: -pthread
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_long counter;
static atomic_int ready;
static int message;
static pthread_mutex_t lock;

static void *count(void *argument) {
  for (int i = 0; i < 200; ++i) atomic_fetch_add(&counter, *(int *)argument);
  return argument;
}

static void *receive(void *argument) {
  while (!atomic_load(&ready)) sched_yield();
  *(int *)argument = message * 2;
  return NULL;
}

int main(void) {
  pthread_t threads[3], receiver;
  int steps[3] = {1, 10, 100}, answer = 0;
  pthread_create(&receiver, NULL, receive, &answer);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, count, &steps[i]);
  for (int i = 0; i < 3; ++i) {
    void *same;
    pthread_join(threads[i], &same);
    printf("%d", same == &steps[i]);
  }
  message = 21;
  atomic_store(&ready, 1);
  pthread_join(receiver, NULL);
  printf(" %ld %d\n", atomic_load(&counter), answer);
  pthread_mutex_init(&lock, NULL);
  int first = pthread_mutex_trylock(&lock), second = pthread_mutex_trylock(&lock);
  printf("%d %d\n", first, second != 0);
  pthread_mutex_unlock(&lock);
  pthread_mutex_destroy(&lock);
  return answer;
}
