// Peterson's filter for three threads, without end.
// Property: assertions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3 };
_Atomic unsigned char level[THREADS], last[THREADS], inside;

void *thread(void *argument) {
  const unsigned char self = (unsigned char)(long)argument;
  for (;;) {
    for (unsigned char at = 1; at < THREADS; at++) {
      level[self] = at;
      last[at] = self;
      for (unsigned char other = 0; other < THREADS;) {
        if (other == self || level[other] < at) other++;
        else if (last[at] != self) break;
        else other = 0;
      }
    }
    inside++;
    assert(inside == 1);
    inside--;
    level[self] = 0;
  }
  return NULL;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_create(&t2, NULL, thread, (void *)2);
  thread((void *)0);
  return 0;
}
