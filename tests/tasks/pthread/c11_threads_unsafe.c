// Threads of C11 with a mutex and a condition; it is not looked at again whether the value is there.
// Fails with: 16400435
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t ready;
static int value;

static int producer(void *argument) {
  mtx_lock(&mutex);
  value = *(int *)argument;
  cnd_signal(&ready);
  mtx_unlock(&mutex);
  return 1;
}

static int consumer(void *unused) {
  (void)unused;
  mtx_lock(&mutex);
  if (value == 0) cnd_wait(&ready, &mutex);
  const int seen = value;
  mtx_unlock(&mutex);
  return seen;
}

int main(void) {
  thrd_t a, b;
  int nine = 9, first, second;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&ready);
  thrd_create(&a, consumer, NULL);
  thrd_create(&b, producer, &nine);
  thrd_join(a, &first);
  thrd_join(b, &second);
  assert(first == 9 && second == 1);
  return 0;
}
