// purpose: threads and mutexes of <threads.h>
#include <threads.h>

static mtx_t m;
static int n;

static int work(void *p) {
#ifndef RACY
  mtx_lock(&m);
#endif
  n++;
#ifndef RACY
  mtx_unlock(&m);
#endif
  return p != NULL;
}

int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_plain);
  thrd_create(&t, work, NULL);
  mtx_lock(&m);
  n++;
  mtx_unlock(&m);
  thrd_join(t, NULL);
  return 0;
}
