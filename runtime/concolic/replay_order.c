/*
 * Threads in a given order, in a build whose accesses and calls of the library of threads are points
 * (src/instrument/order_points.h). PLUMB_ORDER names a file of entries: which thread comes to which point next. A thread
 * that comes to a point waits until the next entry is its own, and has the turn until it comes to another point; so one
 * thread runs at a time. Where it stands at another place than the entry says, the run has left the order: a line
 * `plumb-replay: left …` tells, and exit code 78. Behind the last entry nobody gets a turn any more, and who has it may
 * come to no other point. An entry that says that all threads block is the end: `plumb-replay: deadlock`, exit code 79.
 * Without PLUMB_ORDER points do nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "order.h"

#define EXIT_LEFT 78
#define EXIT_DEADLOCK 79

static const struct plumb_order_entry* entries;
static uint32_t count;
static uint32_t position;
static uint32_t created;
static __thread uint32_t self;
static __thread int has_turn;

__attribute__((constructor(103))) static void begin(void) {
  const char* file = getenv("PLUMB_ORDER");
  struct stat status;
  int descriptor;
  if (file == NULL) return;
  descriptor = open(file, O_RDONLY | O_CLOEXEC);
  unsetenv("PLUMB_ORDER");
  if (descriptor < 0 || fstat(descriptor, &status) != 0 || status.st_size == 0) _exit(EXIT_LEFT);
  entries = mmap(0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (entries == MAP_FAILED) _exit(EXIT_LEFT);
  count = (uint32_t)((size_t)status.st_size / sizeof *entries);
  close(descriptor);
}

int plumb_is_ordered(void) { return entries != NULL; }

static __attribute__((noreturn)) void leave(uint32_t line, uint32_t column) {
  fflush(stdout);
  dprintf(STDERR_FILENO, "plumb-replay: left at %u:%u in thread %u\n", line, column, self + 1);
  _exit(EXIT_LEFT);
}

static uint32_t now(void) { return __atomic_load_n(&position, __ATOMIC_ACQUIRE); }

static void pass_turn(void) {
  uint32_t next = now() + 1;
  has_turn = 0;
  if (next < count && entries[next].kind == PLUMB_ORDER_DEADLOCK) {
    fflush(stdout);
    dprintf(STDERR_FILENO, "plumb-replay: deadlock\n");
    _exit(EXIT_DEADLOCK);
  }
  __atomic_store_n(&position, next, __ATOMIC_RELEASE);
  syscall(SYS_futex, &position, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Behind the last entry for good. */
static const struct plumb_order_entry* wait_for_turn(void) {
  uint32_t at;
  while ((at = now()) >= count || entries[at].thread != self)
    syscall(SYS_futex, &position, FUTEX_WAIT_PRIVATE, at, NULL, NULL, 0);
  return &entries[at];
}

static const struct plumb_order_entry* come_to(uint32_t kind, uint32_t line, uint32_t column) {
  const struct plumb_order_entry* entry;
  if (has_turn) {
    if (now() + 1 >= count) leave(line, column);
    pass_turn();
  }
  entry = wait_for_turn();
  if (entry->kind != kind && !(kind == PLUMB_ORDER_CALL && entry->kind == PLUMB_ORDER_BLOCKED)) leave(line, column);
  if ((line != 0 || entry->line != 0) && (entry->line != line || entry->column != column)) leave(line, column);
  has_turn = 1;
  return entry;
}

void plumb_order_access(uint32_t line, uint32_t column) {
  if (entries != NULL) come_to(PLUMB_ORDER_ACCESS, line, column);
}

/* 1 if the call shall block for good. */
int plumb_order_call(uint32_t line, uint32_t column) {
  return entries != NULL && come_to(PLUMB_ORDER_CALL, line, column)->kind == PLUMB_ORDER_BLOCKED;
}

void plumb_order_input(void) {
  if (entries != NULL) come_to(PLUMB_ORDER_INPUT, 0, 0);
}

/* Before the run ends, where nothing fails: it does not while others have something to do. */
void plumb_order_end_run(void) {
  if (entries == NULL || (has_turn && now() + 1 >= count)) return;
  if (has_turn) pass_turn();
  for (;;) pause();
}

/* --- Calls whose effect takes time. They are made in place of those that the program names; `line` and `column` are
   where, and before them comes no other point --- */

/* Somebody else goes on; this thread does again when the order says so. */
static int waits_in_order(void) {
  uint32_t i;
  for (i = now() + 1; i < count; ++i)
    if (entries[i].thread == self) return entries[i].kind == PLUMB_ORDER_WAKE;
  return 1;
}

static void wait_in_order(void) {
  pass_turn();
  if (wait_for_turn()->kind != PLUMB_ORDER_WAKE) leave(0, 0);
  has_turn = 1;
}

/* The call would block; then it does. */
static __attribute__((noreturn)) void block(int would, uint32_t line, uint32_t column) {
  if (!would) leave(line, column);
  pass_turn();
  for (;;) pause();
}

struct started {
  void* (*function)(void*);
  int (*c11)(void*);
  void* argument;
  uint32_t number;
};

static void end_thread(void) {
  if (entries == NULL) return;
  come_to(PLUMB_ORDER_END, 0, 0);
  pass_turn();
}

static void* start(void* given) {
  struct started of = *(struct started*)given;
  void* result;
  free(given);
  self = of.number;
  if (entries != NULL) wait_for_turn();
  result = of.c11 != NULL ? (void*)(intptr_t)of.c11(of.argument) : of.function(of.argument);
  end_thread();
  return result;
}

static int create(pthread_t* thread, const pthread_attr_t* attributes, struct started of) {
  struct started* made = malloc(sizeof *made);
  int error;
  if (made == NULL) return EAGAIN;
  *made = of;
  made->number = created + 1;
  error = pthread_create(thread, attributes, start, made);
  if (error == 0) {
    ++created;
  } else {
    free(made);
  }
  return error;
}

#define POINT uint32_t line, uint32_t column

int plumb_ordered_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                                 void* argument, POINT) {
  struct started of = {function, NULL, argument, 0};
  plumb_order_call(line, column);
  return create(thread, attributes, of);
}

int plumb_ordered_thrd_create(thrd_t* thread, thrd_start_t function, void* argument, POINT) {
  struct started of = {NULL, function, argument, 0};
  pthread_t made;
  int error;
  plumb_order_call(line, column);
  error = create(&made, NULL, of);
  if (error == 0) *thread = made;
  return error == 0 ? thrd_success : error == EAGAIN ? thrd_nomem : thrd_error;
}

void plumb_ordered_pthread_exit(void* result, POINT) {
  plumb_order_call(line, column);
  end_thread();
  pthread_exit(result);
}

void plumb_ordered_thrd_exit(int result, POINT) { plumb_ordered_pthread_exit((void*)(intptr_t)result, line, column); }

int plumb_ordered_pthread_join(pthread_t thread, void** result, POINT) {
  if (plumb_order_call(line, column)) block(pthread_tryjoin_np(thread, result) == EBUSY, line, column);
  return pthread_join(thread, result);
}

int plumb_ordered_thrd_join(thrd_t thread, int* result, POINT) {
  void* given = NULL;
  int error = plumb_ordered_pthread_join(thread, &given, line, column);
  if (error == 0 && result != NULL) *result = (int)(intptr_t)given;
  return error == 0 ? thrd_success : thrd_error;
}

int plumb_ordered_pthread_mutex_lock(pthread_mutex_t* mutex, POINT) {
  if (plumb_order_call(line, column)) block(pthread_mutex_trylock(mutex) == EBUSY, line, column);
  return pthread_mutex_lock(mutex);
}

int plumb_ordered_mtx_lock(mtx_t* mutex, POINT) {
  return plumb_ordered_pthread_mutex_lock((pthread_mutex_t*)mutex, line, column) == 0 ? thrd_success : thrd_error;
}

int plumb_ordered_pthread_rwlock_rdlock(pthread_rwlock_t* lock, POINT) {
  if (plumb_order_call(line, column)) block(pthread_rwlock_tryrdlock(lock) == EBUSY, line, column);
  return pthread_rwlock_rdlock(lock);
}

int plumb_ordered_pthread_rwlock_wrlock(pthread_rwlock_t* lock, POINT) {
  if (plumb_order_call(line, column)) block(pthread_rwlock_trywrlock(lock) == EBUSY, line, column);
  return pthread_rwlock_wrlock(lock);
}

int plumb_ordered_sem_wait(sem_t* semaphore, POINT) {
  if (plumb_order_call(line, column)) block(sem_trywait(semaphore) != 0 && errno == EAGAIN, line, column);
  return sem_wait(semaphore);
}

/* The time of what waits for one is over at once. */
static int timed(int error) { return error == EBUSY ? ETIMEDOUT : error; }

int plumb_ordered_pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* time, POINT) {
  (void)time;
  plumb_order_call(line, column);
  return timed(pthread_mutex_trylock(mutex));
}

int plumb_ordered_pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* time,
                                          POINT) {
  (void)clock;
  return plumb_ordered_pthread_mutex_timedlock(mutex, time, line, column);
}

int plumb_ordered_pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* time, POINT) {
  (void)time;
  plumb_order_call(line, column);
  return timed(pthread_rwlock_tryrdlock(lock));
}

int plumb_ordered_pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* time, POINT) {
  (void)time;
  plumb_order_call(line, column);
  return timed(pthread_rwlock_trywrlock(lock));
}

int plumb_ordered_mtx_timedlock(mtx_t* mutex, const struct timespec* time, POINT) {
  int error = plumb_ordered_pthread_mutex_timedlock((pthread_mutex_t*)mutex, time, line, column);
  return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

int plumb_ordered_sem_timedwait(sem_t* semaphore, const struct timespec* time, POINT) {
  (void)time;
  plumb_order_call(line, column);
  if (sem_trywait(semaphore) == 0) return 0;
  if (errno == EAGAIN) errno = ETIMEDOUT;
  return -1;
}

/* A condition is nothing but the order: who is woken, and when, is what the schedule says. */
int plumb_ordered_pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, POINT) {
  int error;
  if (entries == NULL) return pthread_cond_wait(condition, mutex);
  plumb_order_call(line, column);
  error = pthread_mutex_unlock(mutex);
  if (error != 0) return error;
  wait_in_order();
  return pthread_mutex_lock(mutex);
}

int plumb_ordered_cnd_wait(cnd_t* condition, mtx_t* mutex, POINT) {
  int error = plumb_ordered_pthread_cond_wait((pthread_cond_t*)condition, (pthread_mutex_t*)mutex, line, column);
  return error == 0 ? thrd_success : thrd_error;
}

/* The last one of a round does not wait. */
int plumb_ordered_pthread_barrier_wait(pthread_barrier_t* barrier, POINT) {
  if (entries == NULL) return pthread_barrier_wait(barrier);
  plumb_order_call(line, column);
  if (!waits_in_order()) return PTHREAD_BARRIER_SERIAL_THREAD;
  wait_in_order();
  return 0;
}
