// purpose: blocks that memcpy and memset touch, which overlap or not
#include <pthread.h>
#include <string.h>

static char block[64];

static void *work(void *p) {
  memset(block, 1, 32);
  return p;
}

int main(void) {
  pthread_t t;
  char mine[32];
  pthread_create(&t, NULL, work, NULL);
#ifdef RACY
  memcpy(mine, block + 24, 16);
#else
  memcpy(mine, block + 32, 16);
#endif
  pthread_join(t, NULL);
  return mine[0];
}
