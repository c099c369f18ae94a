// The queue lock of Mellor-Crummey and Scott for two threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  _Atomic(struct node *) next;
  atomic_int is_locked;
};
struct node nodes[2];
_Atomic(struct node *) tail;
static int inside;
static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

static void lock(struct node *self) {
  self->next = NULL;
  self->is_locked = 1;
  struct node *before = atomic_exchange(&tail, self);
  if (before) {
    before->next = self;
    while (self->is_locked) {
    }
  }
}

static void unlock(struct node *self) {
  if (!self->next) {
    struct node *expected = self;
    if (atomic_compare_exchange_strong(&tail, &expected, NULL)) return;
    while (!self->next) {
    }
  }
  struct node *next = self->next;
  next->is_locked = 0;
}

void *thread(void *argument) {
  struct node *self = &nodes[(long)argument];
  lock(self);
  critical();
  unlock(self);
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
