/* The threads of a task, natively and in an order that is drawn: they are coroutines of one thread of the system. Linked with
 * native.c; the task is compiled with -Dmain=threaded_main, -fsanitize=thread (each access calls a function of this file, where
 * another thread may go on), -finstrument-functions and -femulated-tls, so that the C library's threads have no part in a run.
 *
 * The first input of a run is the number of its schedule. TASK_PROPERTY says what counts as an error apart from false assertions:
 * "no-deadlock" that no thread can go on, "no-data-race" that two threads stand before accesses to the same byte of which one
 * writes and one is not atomic, "valid-memsafety" that freed memory is accessed or freed again (of -Dmalloc=task_malloc and so on). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <ucontext.h>

enum { MOST_THREADS = 32, MOST_OBJECTS = 256, MOST_LOCALS = 16, STACK = 1 << 16, MOST_STEPS = 200000, TOO_LONG = 77 };

unsigned long long task_schedule(void); /* native.c */
void task_found(const char *file, unsigned line, const char *function);
int threaded_main();

struct access {
  uintptr_t address;
  unsigned size;
  _Bool is_write, is_atomic;
};
struct object { /* a mutex, condition, semaphore… by its address */
  const void *address;
  int owner, depth, type; /* -1: of nobody */
  unsigned count, readers, limit, arrived, generation;
};
struct thread {
  ucontext_t context;
  _Bool (*is_ready)(struct thread *); /* NULL: it is */
  struct object *object;
  int other;
  unsigned generation;
  _Bool has_started, has_ended, was_joined, was_woken;
  void *(*start)(void *);
  int (*start_c11)(void *);
  void *argument, *result;
  unsigned atomic_depth, priority;
  struct access next;
  struct { const void *control; void *object; } locals[MOST_LOCALS];
  void *specific[MOST_LOCALS];
};

struct block {
  uintptr_t base;
  size_t size;
  _Bool is_freed;
};

static struct block blocks[MOST_OBJECTS];
static unsigned block_count;
static struct thread threads[MOST_THREADS];
static struct object objects[MOST_OBJECTS];
static unsigned thread_count, object_count, steps, change_points[3];
static int self;
static ucontext_t scheduler;
static unsigned long long schedule, state;
static const char *property;

static unsigned draw(unsigned limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)((state * 0x2545f4914f6cdd1dull) >> 33) % limit;
}

/* --- The scheduler --- */

static _Bool can_run(int t) { return !threads[t].has_ended && (!threads[t].is_ready || threads[t].is_ready(&threads[t])); }

static void find_race(void) {
  for (unsigned a = 0; a < thread_count; ++a)
    for (unsigned b = a + 1; b < thread_count; ++b) {
      const struct access *one = &threads[a].next, *two = &threads[b].next;
      if (!one->size || !two->size || threads[a].has_ended || threads[b].has_ended) continue;
      if (!(one->is_write || two->is_write) || (one->is_atomic && two->is_atomic)) continue;
      if (one->address < two->address + two->size && two->address < one->address + one->size) task_found("", 0, "race");
    }
}

/* By the number of the schedule: at random, seldom, by priorities with few changes, or in turns of equal length. */
static int chosen(const int *able, unsigned count, int last) {
  static int turn;
  int can_stay = 0;
  for (unsigned k = 0; k < count; ++k) can_stay |= able[k] == last;
  switch (schedule % 4) {
    case 0: return able[draw(count)];
    case 1: return can_stay && draw(8) ? last : able[draw(count)];
    case 2: {
      for (unsigned k = 0; k < 3; ++k)
        if (steps == change_points[k] && last >= 0) threads[last].priority = k;
      if (steps % 300 == 299 && last >= 0) threads[last].priority = draw(1000);
      int best = able[0];
      for (unsigned k = 1; k < count; ++k)
        if (threads[able[k]].priority > threads[best].priority) best = able[k];
      return best;
    }
    default: {
      if (can_stay && ++turn < (int)(schedule / 4 % 16) + 1) return last;
      int next = able[0];
      for (unsigned k = count; k-- > 0;)
        if (able[k] > last) next = able[k];
      turn = threads[next].has_started - 1; /* coming to its first access does not count */
      return next;
    }
  }
}

static void run_all(void) {
  const _Bool asks_race = strcmp(property, "no-data-race") == 0;
  for (int last = -1;; last = self, ++steps) {
    int able[MOST_THREADS], in_section = -1;
    unsigned count = 0, alive = 0;
    for (unsigned t = 0; t < thread_count; ++t) {
      alive += !threads[t].has_ended;
      if (!can_run(t)) continue;
      able[count++] = t;
      if (threads[t].atomic_depth) in_section = t;
    }
    if (!alive) return;
    if (!count) {
      if (strcmp(property, "no-deadlock") == 0) task_found("", 0, "deadlock");
      return;
    }
    if (steps == MOST_STEPS) _Exit(TOO_LONG);
    if (asks_race) find_race();
    self = in_section >= 0 ? in_section : chosen(able, count, last);
    threads[self].is_ready = NULL;
    threads[self].has_started = 1;
    swapcontext(&scheduler, &threads[self].context);
    if (threads[0].has_ended && threads[0].was_joined) return; /* main has returned */
  }
}

static void leave(void) { swapcontext(&threads[self].context, &scheduler); }

static void check_memory(const void *address) {
  const uintptr_t at = (uintptr_t)address;
  for (unsigned k = 0; k < block_count; ++k)
    if (blocks[k].is_freed && at - blocks[k].base < blocks[k].size && strcmp(property, "valid-memsafety") == 0) task_found("", 0, "freed");
}
static void *allocated(void *base, size_t size) {
  if (block_count == MOST_OBJECTS) _Exit(TOO_LONG);
  blocks[block_count++] = (struct block){(uintptr_t)base, size, 0};
  return base;
}
void *task_malloc(size_t size) { return allocated(malloc(size), size); }
void *task_calloc(size_t count, size_t size) { return allocated(calloc(count, size), count * size); }

static void point(const void *address, unsigned size, _Bool is_write, _Bool is_atomic) {
  struct thread *t = &threads[self];
  t->next = (struct access){(uintptr_t)address, size, is_write, is_atomic || t->atomic_depth};
  leave();
  t->next.size = 0;
  check_memory(address);
}
/* Blocks stay where they are, so that what is accessed later is known. */
void task_free(void *base) {
  for (unsigned k = 0; k < block_count; ++k)
    if (base && blocks[k].base == (uintptr_t)base) {
      point(base, (unsigned)blocks[k].size, 1, 0);
      blocks[k].is_freed = 1;
    }
}
static void step(void) { point(NULL, 0, 0, 0); }
static void wait_for(_Bool (*is_ready)(struct thread *), struct object *object) {
  threads[self].is_ready = is_ready;
  threads[self].object = object;
  if (!is_ready(&threads[self])) leave();
  threads[self].is_ready = NULL;
}

static void body(void) {
  struct thread *t = &threads[self];
  if (self == 0) {
    threaded_main();
    t->was_joined = 1;
  } else if (t->start_c11) t->result = (void *)(intptr_t)t->start_c11(t->argument);
  else t->result = t->start(t->argument);
  t->has_ended = 1;
  leave();
}
static int create(void *(*start)(void *), int (*start_c11)(void *), void *argument) {
  if (thread_count == MOST_THREADS) _Exit(TOO_LONG);
  struct thread *t = &threads[thread_count];
  getcontext(&t->context);
  t->context.uc_stack.ss_sp = malloc(STACK);
  t->context.uc_stack.ss_size = STACK;
  t->start = start;
  t->start_c11 = start_c11;
  t->argument = argument;
  t->priority = 10 + draw(1000);
  makecontext(&t->context, body, 0);
  return (int)thread_count++;
}

int task_main(void) {
  property = getenv("TASK_PROPERTY") ? getenv("TASK_PROPERTY") : "";
  schedule = task_schedule();
  state = schedule * 0x9e3779b97f4a7c15ull + 88172645463325252ull;
  for (int warm = 0; warm < 8; ++warm) draw(2);
  for (unsigned k = 0; k < 3; ++k) change_points[k] = draw(k == 2 ? 200 : 60);
  create(NULL, NULL, NULL);
  run_all();
  return 0;
}

static struct object *object_at(const void *address) {
  for (unsigned k = 0; k < object_count; ++k)
    if (objects[k].address == address) return &objects[k];
  if (object_count == MOST_OBJECTS) _Exit(TOO_LONG);
  objects[object_count] = (struct object){.address = address, .owner = -1};
  return &objects[object_count++];
}

/* --- pthread.h --- */

static _Bool other_ended(struct thread *t) { return threads[t->other].has_ended; }

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  (void)attributes;
  step();
  *id = (pthread_t)create(start, NULL, argument) + 1;
  return 0;
}
int pthread_join(pthread_t id, void **result) {
  step();
  const int other = (int)id - 1;
  if (other == self) return EDEADLK;
  if (other < 0 || other >= (int)thread_count) return ESRCH;
  threads[self].other = other;
  wait_for(other_ended, NULL);
  if (result) *result = threads[other].result;
  return 0;
}
void pthread_exit(void *result) {
  step();
  threads[self].result = result;
  threads[self].has_ended = 1;
  for (;;) leave();
}
int pthread_detach(pthread_t id) { return (void)id, 0; }
pthread_t pthread_self(void) { return (pthread_t)self + 1; }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
int sched_yield(void) { return step(), 0; }

static _Bool is_free(struct thread *t) { return t->object->owner < 0 && !t->object->readers; }
static _Bool has_no_writer(struct thread *t) { return t->object->owner < 0; }

int pthread_mutexattr_init(pthread_mutexattr_t *a) { return *(int *)a = 0; }
int pthread_mutexattr_destroy(pthread_mutexattr_t *a) { return (void)a, 0; }
int pthread_mutexattr_settype(pthread_mutexattr_t *a, int type) { return *(int *)a = type, 0; }
int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
  *object_at(m) = (struct object){.address = m, .owner = -1, .type = a ? *(const int *)a : 0};
  m->__data.__kind = a ? *(const int *)a : 0;
  return 0;
}
int pthread_mutex_destroy(pthread_mutex_t *m) { return (void)m, 0; }
static int lock(void *address, int type) {
  struct object *m = object_at(address);
  if (m->owner == self && type == PTHREAD_MUTEX_RECURSIVE) return ++m->depth, 0;
  if (m->owner == self && type == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  wait_for(is_free, m);
  m->owner = self;
  m->depth = 1;
  return 0;
}
static int unlock(void *address) {
  struct object *m = object_at(address);
  if (m->owner != self) return EPERM;
  if (--m->depth == 0) m->owner = -1;
  return 0;
}
int pthread_mutex_lock(pthread_mutex_t *m) { return step(), lock(m, m->__data.__kind); }
int pthread_mutex_trylock(pthread_mutex_t *m) {
  step();
  struct object *o = object_at(m);
  if (o->owner >= 0 && !(o->owner == self && m->__data.__kind == PTHREAD_MUTEX_RECURSIVE)) return EBUSY;
  return lock(m, m->__data.__kind);
}
int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
  step();
  (void)until;
  if (object_at(m)->owner >= 0 && (object_at(m)->owner == self || draw(2))) return ETIMEDOUT;
  return lock(m, m->__data.__kind);
}
int pthread_mutex_unlock(pthread_mutex_t *m) { return step(), unlock(m); }
int pthread_spin_init(pthread_spinlock_t *s, int shared) { return (void)shared, object_at((void *)s)->owner = -1, 0; }
int pthread_spin_destroy(pthread_spinlock_t *s) { return (void)s, 0; }
int pthread_spin_lock(pthread_spinlock_t *s) { return step(), lock((void *)s, 0); }
int pthread_spin_trylock(pthread_spinlock_t *s) { return step(), object_at((void *)s)->owner >= 0 ? EBUSY : lock((void *)s, 0); }
int pthread_spin_unlock(pthread_spinlock_t *s) { return step(), unlock((void *)s); }

static _Bool is_woken(struct thread *t) { return t->was_woken || draw(64) == 0; }
static _Bool is_waiting(int t, const void *condition) {
  return threads[t].object && threads[t].object->address == condition && threads[t].is_ready == is_woken && !threads[t].was_woken;
}
static int wait_on(void *condition, void *mutex, _Bool has_limit) {
  step();
  if (unlock(mutex)) return EPERM;
  threads[self].was_woken = 0;
  if (!has_limit || draw(2)) {
    threads[self].is_ready = is_woken;
    threads[self].object = object_at(condition);
    leave();
  }
  const int result = has_limit && !threads[self].was_woken ? ETIMEDOUT : 0;
  lock(mutex, 0);
  return result;
}
static int wake(const void *condition, _Bool is_all) {
  step();
  int waiting[MOST_THREADS];
  unsigned count = 0;
  for (unsigned t = 0; t < thread_count; ++t)
    if (is_waiting(t, condition)) waiting[count++] = t;
  if (is_all)
    for (unsigned k = 0; k < count; ++k) threads[waiting[k]].was_woken = 1;
  else if (count) threads[waiting[draw(count)]].was_woken = 1;
  return 0;
}
int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) { return (void)c, (void)a, 0; }
int pthread_cond_destroy(pthread_cond_t *c) { return (void)c, 0; }
int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return wait_on(c, m, 0); }
int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) { return (void)until, wait_on(c, m, 1); }
int pthread_cond_signal(pthread_cond_t *c) { return wake(c, 0); }
int pthread_cond_broadcast(pthread_cond_t *c) { return wake(c, 1); }

int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a) { return (void)l, (void)a, 0; }
int pthread_rwlock_destroy(pthread_rwlock_t *l) { return (void)l, 0; }
int pthread_rwlock_rdlock(pthread_rwlock_t *l) {
  step();
  wait_for(has_no_writer, object_at(l));
  return ++object_at(l)->readers, 0;
}
int pthread_rwlock_wrlock(pthread_rwlock_t *l) { return step(), lock(l, 0); }
int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) { return step(), object_at(l)->owner >= 0 ? EBUSY : (++object_at(l)->readers, 0); }
int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
  step();
  return object_at(l)->owner >= 0 || object_at(l)->readers ? EBUSY : lock(l, 0);
}
int pthread_rwlock_unlock(pthread_rwlock_t *l) {
  step();
  if (object_at(l)->owner == self) return unlock(l);
  return --object_at(l)->readers, 0;
}

static _Bool has_passed(struct thread *t) { return t->object->generation != t->generation; }
int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned limit) {
  (void)a;
  return object_at(b)->limit = limit, 0;
}
int pthread_barrier_destroy(pthread_barrier_t *b) { return (void)b, 0; }
int pthread_barrier_wait(pthread_barrier_t *b) {
  step();
  struct object *o = object_at(b);
  if (++o->arrived == o->limit) {
    o->arrived = 0;
    ++o->generation;
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  threads[self].generation = o->generation;
  wait_for(has_passed, o);
  return 0;
}
static _Bool is_done(struct thread *t) { return t->object->count == 2; }
int pthread_once(pthread_once_t *once, void (*routine)(void)) {
  step();
  struct object *o = object_at(once);
  if (o->count == 0) {
    o->count = 1;
    routine();
    o->count = 2;
  }
  wait_for(is_done, o);
  return 0;
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  static unsigned count;
  (void)destructor;
  return *key = count++, 0;
}
int pthread_key_delete(pthread_key_t key) { return (void)key, 0; }
int pthread_setspecific(pthread_key_t key, const void *value) { return threads[self].specific[key % MOST_LOCALS] = (void *)value, 0; }
void *pthread_getspecific(pthread_key_t key) { return threads[self].specific[key % MOST_LOCALS]; }

/* --- semaphore.h, threads.h --- */

static _Bool is_positive(struct thread *t) { return t->object->count > 0; }
int sem_init(sem_t *s, int shared, unsigned value) { return (void)shared, object_at(s)->count = value, 0; }
int sem_destroy(sem_t *s) { return (void)s, 0; }
int sem_wait(sem_t *s) {
  step();
  wait_for(is_positive, object_at(s));
  return --object_at(s)->count, 0;
}
int sem_trywait(sem_t *s) {
  step();
  if (object_at(s)->count) return --object_at(s)->count, 0;
  return errno = EAGAIN, -1;
}
int sem_post(sem_t *s) { return step(), ++object_at(s)->count, 0; }
int sem_getvalue(sem_t *s, int *value) { return step(), *value = (int)object_at(s)->count, 0; }

int thrd_create(thrd_t *id, thrd_start_t start, void *argument) {
  step();
  *id = (thrd_t)create(NULL, start, argument) + 1;
  return thrd_success;
}
int thrd_join(thrd_t id, int *result) {
  void *value = NULL;
  pthread_join((pthread_t)id, &value);
  if (result) *result = (int)(intptr_t)value;
  return thrd_success;
}
thrd_t thrd_current(void) { return (thrd_t)self + 1; }
void thrd_yield(void) { step(); }
int mtx_init(mtx_t *m, int type) {
  *object_at(m) = (struct object){.address = m, .owner = -1, .type = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : 0};
  return thrd_success;
}
void mtx_destroy(mtx_t *m) { (void)m; }
int mtx_lock(mtx_t *m) { return step(), lock(m, object_at(m)->type); }
int mtx_trylock(mtx_t *m) { return step(), object_at(m)->owner >= 0 ? thrd_busy : lock(m, 0); }
int mtx_unlock(mtx_t *m) { return step(), unlock(m); }
int cnd_init(cnd_t *c) { return (void)c, thrd_success; }
void cnd_destroy(cnd_t *c) { (void)c; }
int cnd_wait(cnd_t *c, mtx_t *m) { return wait_on(c, m, 0); }
int cnd_signal(cnd_t *c) { return wake(c, 0); }
int cnd_broadcast(cnd_t *c) { return wake(c, 1); }
void call_once(once_flag *once, void (*routine)(void)) { pthread_once((pthread_once_t *)once, routine); }

/* --- Sections, and variables of a thread --- */

void __VERIFIER_atomic_begin(void) {
  step();
  ++threads[self].atomic_depth;
}
void __VERIFIER_atomic_end(void) { --threads[self].atomic_depth; }
static _Bool is_section(void *function) {
  Dl_info info;
  return dladdr(function, &info) && info.dli_sname && strncmp(info.dli_sname, "__VERIFIER_atomic_", 18) == 0;
}
void __cyg_profile_func_enter(void *function, void *caller) {
  (void)caller;
  if (is_section(function)) __VERIFIER_atomic_begin();
}
void __cyg_profile_func_exit(void *function, void *caller) {
  (void)caller;
  if (is_section(function)) __VERIFIER_atomic_end();
}
struct local { size_t size, alignment; void *unused, *initial; };
void *__emutls_get_address(struct local *control) {
  struct thread *t = &threads[self];
  for (unsigned k = 0; k < MOST_LOCALS; ++k) {
    if (t->locals[k].control == control) return t->locals[k].object;
    if (t->locals[k].control) continue;
    t->locals[k].control = control;
    t->locals[k].object = calloc(1, control->size);
    if (control->initial) memcpy(t->locals[k].object, control->initial, control->size);
    return t->locals[k].object;
  }
  _Exit(TOO_LONG);
}

/* --- What -fsanitize=thread calls before each access --- */

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
#define ACCESS(size) \
  void __tsan_read##size(void *p) { point(p, size, 0, 0); } \
  void __tsan_write##size(void *p) { point(p, size, 1, 0); } \
  void __tsan_unaligned_read##size(void *p) { point(p, size, 0, 0); } \
  void __tsan_unaligned_write##size(void *p) { point(p, size, 1, 0); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
void __tsan_read_range(void *p, size_t n) { point(p, (unsigned)n, 0, 0); }
void __tsan_write_range(void *p, size_t n) { point(p, (unsigned)n, 1, 0); }
void *__tsan_memcpy(void *to, const void *from, size_t n) {
  point(from, (unsigned)n, 0, 0);
  point(to, (unsigned)n, 1, 0);
  return memcpy(to, from, n);
}
void *__tsan_memmove(void *to, const void *from, size_t n) {
  point(from, (unsigned)n, 0, 0);
  point(to, (unsigned)n, 1, 0);
  return memmove(to, from, n);
}
void *__tsan_memset(void *to, int byte, size_t n) {
  point(to, (unsigned)n, 1, 0);
  return memset(to, byte, n);
}
#define MODIFY(bits, type, name, result) \
  type __tsan_atomic##bits##_##name(type *p, type v, int order) { \
    (void)order; \
    point(p, sizeof *p, 1, 1); \
    const type old = *p; \
    *p = result; \
    return old; \
  }
#define ATOMIC(bits, type) \
  type __tsan_atomic##bits##_load(const type *p, int order) { \
    (void)order; \
    point(p, sizeof *p, 0, 1); \
    return *p; \
  } \
  void __tsan_atomic##bits##_store(type *p, type v, int order) { \
    (void)order; \
    point(p, sizeof *p, 1, 1); \
    *p = v; \
  } \
  MODIFY(bits, type, exchange, v) \
  MODIFY(bits, type, fetch_add, (type)(old + v)) \
  MODIFY(bits, type, fetch_sub, (type)(old - v)) \
  MODIFY(bits, type, fetch_and, (type)(old & v)) \
  MODIFY(bits, type, fetch_or, (type)(old | v)) \
  MODIFY(bits, type, fetch_xor, (type)(old ^ v)) \
  MODIFY(bits, type, fetch_nand, (type)~(old & v)) \
  int __tsan_atomic##bits##_compare_exchange_strong(type *p, type *expected, type v, int order, int other) { \
    (void)order, (void)other; \
    point(p, sizeof *p, 1, 1); \
    if (*p == *expected) return *p = v, 1; \
    return *expected = *p, 0; \
  } \
  int __tsan_atomic##bits##_compare_exchange_weak(type *p, type *expected, type v, int order, int other) { \
    return __tsan_atomic##bits##_compare_exchange_strong(p, expected, v, order, other); \
  } \
  type __tsan_atomic##bits##_compare_exchange_val(type *p, type expected, type v, int order, int other) { \
    (void)order, (void)other; \
    point(p, sizeof *p, 1, 1); \
    const type old = *p; \
    if (old == expected) *p = v; \
    return old; \
  }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }
