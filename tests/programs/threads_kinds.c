// purpose: kinds of mutexes, timed waits, keys with destructors and what <threads.h> makes of them
// flags: -pthread
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>
static pthread_key_t key, other;
static int destroyed;
static void destroy(void* v) { destroyed += *(int*)v; }
static void again(void* v) {
  static int five = 5;
  destroyed += 100;
  if (destroyed < 400) pthread_setspecific(other, &five);
}
static void* work(void* v) {
  pthread_setspecific(key, v);
  pthread_setspecific(other, v);
  return v;
}
static void* leave(void* v) {
  pthread_setspecific(key, v);
  pthread_exit(v);
}
static struct {
  int before;
  pthread_mutex_t mutexes[2];
} kept = {1, {PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP}};
static int c11(void* p) { return 7; }
int main(void) {
  int value = 5;
  pthread_t t;
  void* r;
  pthread_key_create(&key, destroy);
  pthread_key_create(&other, again);
  pthread_create(&t, NULL, work, &value);
  pthread_join(t, &r);
  printf("%d %d\n", destroyed, r == &value);
  pthread_create(&t, NULL, leave, &value);
  pthread_join(t, &r);
  printf("%d %d\n", destroyed, r == &value);
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_t m;
  pthread_mutex_init(&m, &a);
  printf("%d %d %d", pthread_mutex_lock(&m), pthread_mutex_lock(&m), pthread_mutex_trylock(&m));
  printf(" %d %d %d %d\n", pthread_mutex_unlock(&m), pthread_mutex_unlock(&m), pthread_mutex_unlock(&m),
         pthread_mutex_unlock(&m));
  pthread_mutex_destroy(&m);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &a);
  printf("%d %d %d %d\n", pthread_mutex_lock(&m), pthread_mutex_lock(&m), pthread_mutex_unlock(&m),
         pthread_mutex_unlock(&m));
  struct timespec past = {0, 0};
  pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
  printf("%d", pthread_mutex_timedlock(&n, &past));
  printf(" %d\n", pthread_mutex_timedlock(&n, &past));
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  printf("%d\n", pthread_cond_timedwait(&c, &n, &past));
  sem_t s;
  sem_init(&s, 0, 1);
  printf("%d", sem_timedwait(&s, &past));
  printf(" %d %d\n", sem_timedwait(&s, &past), errno == ETIMEDOUT);
  pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
  printf("%d %d %d", pthread_rwlock_rdlock(&l), pthread_rwlock_tryrdlock(&l), pthread_rwlock_trywrlock(&l));
  printf(" %d\n", pthread_rwlock_timedwrlock(&l, &past));
  printf("%d %d %d %d", pthread_rwlock_unlock(&l), pthread_rwlock_unlock(&l), pthread_rwlock_wrlock(&l),
         pthread_rwlock_wrlock(&l));
  printf(" %d %d\n", pthread_rwlock_rdlock(&l), pthread_rwlock_unlock(&l));
  thrd_t u;
  int code;
  mtx_t x;
  mtx_init(&x, mtx_timed | mtx_recursive);
  thrd_create(&u, c11, NULL);
  thrd_join(u, &code);
  printf("%d %d %d %d\n", code, mtx_lock(&x), mtx_timedlock(&x, &past), mtx_trylock(&x));
  pthread_mutex_t* counted = &kept.mutexes[1];
  printf("%d %d", pthread_mutex_lock(&kept.mutexes[0]), pthread_mutex_trylock(&kept.mutexes[0]));
  printf(" %d %d %d\n", pthread_mutex_lock(counted), pthread_mutex_lock(counted), pthread_mutex_unlock(counted));
  return 0;
}
