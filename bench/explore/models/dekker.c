// Dekker's algorithm without end.
// Property: assertions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char wants[2], turn, inside;

void *thread(void *argument) {
  const unsigned char self = (unsigned char)(long)argument, other = 1 - self;
  for (;;) {
    wants[self] = 1;
    while (wants[other]) {
      if (turn != self) {
        wants[self] = 0;
        while (turn != self) {
        }
        wants[self] = 1;
      }
    }
    inside++;
    assert(inside == 1);
    inside--;
    turn = other;
    wants[self] = 0;
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, thread, (void *)1);
  thread((void *)0);
  return 0;
}
