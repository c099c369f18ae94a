// A wide space: each of three threads reads what its neighbour writes, without any lock.
#include <assert.h>
#include <pthread.h>

int cells[3];

void *work(void *position) {
  const int mine = (int)(long)position;
  for (int k = 0; k < 4; k++) cells[mine] = cells[(mine + 1) % 3] % 3 + k % 2;
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (long t = 0; t < 3; t++) pthread_create(&threads[t], NULL, work, (void *)t);
  for (int t = 0; t < 3; t++) pthread_join(threads[t], NULL);
  assert(cells[0] <= 3 && cells[1] <= 3 && cells[2] <= 3);
  return 0;
}
