// Read-write locks, barriers and spin locks of <pthread.h>. All bytes zero is a free lock, as glibc's initialisers say.

#include "thread.h"

// The thread that writes, or 0, and how many read. Readers are not ordered among themselves: what they give back is for
// writers alone.
struct read_write_lock {
  int writer;
  int readers;
};

enum { Read, Write };

static int loaded(const int* place, int order) {
  return order == Read ? __atomic_load_n(place, __ATOMIC_RELAXED) : __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

// Whether a thread can have the lock now.
static int is_free(const struct read_write_lock* lock, int use) {
  return loaded(&lock->writer, Write) == 0 && (use == Read || loaded(&lock->readers, use) == 0);
}

static void take(struct read_write_lock* lock, int use, int self) {
  if (use == Write) {
    __atomic_store_n(&lock->writer, self, __ATOMIC_RELAXED);
  } else {
    __atomic_store_n(&lock->readers, loaded(&lock->readers, Read) + 1, __ATOMIC_RELAXED);
  }
}

enum { NoWait, Wait, TimedWait };

static int enter(struct read_write_lock* lock, int use, int wait) {
  int self = (int)pthread_self();
  int error = 0;
  plumb_atomic_begin();
  while (!is_free(lock, use)) {
    if (wait == NoWait) {
      error = EBUSY;
    } else if (loaded(&lock->writer, Read) == self) {
      error = EDEADLK;
    } else if (wait == TimedWait) {
      if (plumb_thread_timed_wait()) error = ETIMEDOUT;
    } else {
      plumb_thread_wait();
    }
    if (error != 0) break;
  }
  if (error == 0) take(lock, use, self);
  plumb_atomic_end();
  return error;
}

int pthread_rwlock_init(struct read_write_lock* lock, const void* attributes) {
  (void)attributes;
  *lock = (struct read_write_lock){0, 0};
  return 0;
}
int pthread_rwlock_destroy(struct read_write_lock* lock) { return (void)lock, 0; }
int pthread_rwlockattr_init(int* attributes) { return *attributes = 0; }
int pthread_rwlockattr_destroy(int* attributes) { return (void)attributes, 0; }

int pthread_rwlock_rdlock(struct read_write_lock* lock) { return enter(lock, Read, Wait); }
int pthread_rwlock_wrlock(struct read_write_lock* lock) { return enter(lock, Write, Wait); }
int pthread_rwlock_tryrdlock(struct read_write_lock* lock) { return enter(lock, Read, NoWait); }
int pthread_rwlock_trywrlock(struct read_write_lock* lock) { return enter(lock, Write, NoWait); }
int pthread_rwlock_timedrdlock(struct read_write_lock* lock, const void* time) {
  return (void)time, enter(lock, Read, TimedWait);
}
int pthread_rwlock_timedwrlock(struct read_write_lock* lock, const void* time) {
  return (void)time, enter(lock, Write, TimedWait);
}

int pthread_rwlock_unlock(struct read_write_lock* lock) {
  int error = 0;
  plumb_atomic_begin();
  int readers = loaded(&lock->readers, Read);
  if (loaded(&lock->writer, Read) == (int)pthread_self()) {
    __atomic_store_n(&lock->writer, 0, __ATOMIC_RELEASE);
  } else if (readers > 0) {
    __atomic_store_n(&lock->readers, readers - 1, __ATOMIC_RELEASE);
  } else {
    error = EPERM;
  }
  plumb_atomic_end();
  return error;
}

// A barrier lets a round of threads go when the last of them has come.
struct barrier {
  unsigned count;
  unsigned waiting;
  unsigned round;
};

int pthread_barrier_init(struct barrier* barrier, const void* attributes, unsigned count) {
  (void)attributes;
  if (count == 0) return EINVAL;
  *barrier = (struct barrier){count, 0, 0};
  return 0;
}
int pthread_barrier_destroy(struct barrier* barrier) { return (void)barrier, 0; }
int pthread_barrierattr_init(int* attributes) { return *attributes = 0; }
int pthread_barrierattr_destroy(int* attributes) { return (void)attributes, 0; }

int pthread_barrier_wait(struct barrier* barrier) {
  enum { SerialThread = -1 };
  plumb_atomic_begin();
  unsigned round = barrier->round;
  int is_last = ++barrier->waiting == barrier->count;
  if (is_last) {
    barrier->waiting = 0;
    ++barrier->round;
  }
  plumb_atomic_end();
  if (is_last) return SerialThread;
  plumb_atomic_begin();
  while (barrier->round == round) plumb_thread_wait();
  plumb_atomic_end();
  return 0;
}

int pthread_spin_init(int* lock, int shared) { return (void)shared, *lock = 0; }
int pthread_spin_destroy(int* lock) { return (void)lock, 0; }
int pthread_spin_lock(int* lock) { return pthread_mutex_lock(lock); }
int pthread_spin_trylock(int* lock) { return pthread_mutex_trylock(lock); }
int pthread_spin_unlock(int* lock) { return pthread_mutex_unlock(lock); }
