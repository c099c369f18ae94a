// Who gives the last reference back frees the object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  atomic_int references;
  int value;
};

static void release(struct object *object) {
  if (atomic_fetch_sub(&object->references, 1) == 1) free(object);
}

void *thread(void *argument) {
  struct object *object = argument;
  const int value = object->value;
  release(object);
  return (void *)(long)value;
}

int main(void) {
  pthread_t t0, t1;
  struct object *object = malloc(sizeof *object);
  if (!object) abort();
  object->references = 2;
  object->value = 5;
  pthread_create(&t0, NULL, thread, object);
  pthread_create(&t1, NULL, thread, object);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
