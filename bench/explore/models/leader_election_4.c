// Chang and Roberts: four nodes in a ring pass on numbers greater than theirs; whose number comes back is the leader.
// Property: assertions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NODES = 4, EMPTY = 0, OVER = 100 };
_Atomic unsigned char box[NODES], leaders;

static void send(unsigned char next, unsigned char number) {
  while (box[next] != EMPTY) {
  }
  box[next] = number;
}

void *node(void *argument) {
  const unsigned char self = (unsigned char)(long)argument, next = (unsigned char)((self + 1) % NODES), mine = (unsigned char)((self * 3) % NODES + 1);
  _Bool is_leader = 0;
  send(next, mine);
  for (;;) {
    unsigned char got;
    while ((got = box[self]) == EMPTY) {
    }
    box[self] = EMPTY;
    if (got == OVER) {
      if (!is_leader) send(next, OVER);
      return NULL;
    }
    if (got > mine) send(next, got);
    if (got == mine) {
      is_leader = 1;
      leaders++;
      assert(leaders == 1);
      send(next, OVER);
    }
  }
}

int main(void) {
  pthread_t t1, t2, t3;
  pthread_create(&t1, NULL, node, (void *)1);
  pthread_create(&t2, NULL, node, (void *)2);
  pthread_create(&t3, NULL, node, (void *)3);
  node((void *)0);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  pthread_join(t3, NULL);
  assert(leaders == 1);
  return 0;
}
