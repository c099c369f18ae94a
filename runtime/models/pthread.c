// <pthread.h> and <semaphore.h>, as far as they are not intrinsics: threads, and locking of mutexes and conditions,
// which are known by their addresses. Attributes are kept but change nothing; destructors of keys are refused where a
// thread but the first, which ends without them, sets a value.

#include "host.h"
#include "text.h"

int pthread_mutex_lock(void* mutex);
int pthread_mutex_trylock(void* mutex);
int pthread_mutex_unlock(void* mutex);
int pthread_cond_wait(void* condition, void* mutex);
int pthread_cond_signal(void* condition);
int pthread_cond_broadcast(void* condition);
uintptr_t pthread_self(void);
int sched_yield(void);

// Sizes and places of glibc.
enum {
  Is64 = sizeof(void*) == 8,
  MutexSize = Is64 ? 40 : 24,
  MutexKind = Is64 ? 16 : 12,
  ConditionSize = 48,
  AttributesSize = Is64 ? 56 : 36,
  AttributesDetached = 8,
};

int pthread_attr_init(void* attributes) { return memset(attributes, 0, AttributesSize), 0; }
int pthread_attr_destroy(void* attributes) { return (void)attributes, 0; }
int pthread_attr_setdetachstate(char* attributes, int state) {
  if (state != 0 && state != 1) return EINVAL;
  memcpy(attributes + AttributesDetached, &state, sizeof state);
  return 0;
}
int pthread_attr_getdetachstate(const char* attributes, int* state) {
  memcpy(state, attributes + AttributesDetached, sizeof *state);
  return 0;
}
int pthread_attr_setstacksize(void* attributes, size_t size) {
  enum { LeastStack = 16384 };
  return (void)attributes, size < LeastStack ? EINVAL : 0;
}
int pthread_attr_setscope(void* attributes, int scope) {
  enum { OfProcess = 1, NotSupported = 95 };
  if (scope == OfProcess) return NotSupported;
  return (void)attributes, scope == 0 ? 0 : EINVAL;
}
int pthread_detach(uintptr_t thread) { return (void)thread, 0; }
int pthread_equal(uintptr_t a, uintptr_t b) { return a == b; }
int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }

int pthread_mutexattr_init(int* attributes) { return *attributes = 0; }
int pthread_mutexattr_destroy(int* attributes) { return (void)attributes, 0; }
int pthread_mutexattr_settype(int* attributes, int kind) {
  enum { LastKind = 3 };
  if (kind < 0 || kind > LastKind) return EINVAL;
  *attributes = kind;
  return 0;
}
int pthread_mutexattr_gettype(const int* attributes, int* kind) { return *kind = *attributes, 0; }

int pthread_mutex_init(char* mutex, const int* attributes) {
  int kind = attributes != NULL ? *attributes : 0;
  memset(mutex, 0, MutexSize);
  memcpy(mutex + MutexKind, &kind, sizeof kind);
  return 0;
}
int pthread_mutex_destroy(void* mutex) { return (void)mutex, 0; }

int pthread_condattr_init(int* attributes) { return *attributes = 0; }
int pthread_condattr_destroy(int* attributes) { return (void)attributes, 0; }
int pthread_condattr_setclock(int* attributes, int clock) { return (void)attributes, (void)clock, 0; }
int pthread_cond_init(void* condition, const void* attributes) {
  (void)attributes;
  memset(condition, 0, ConditionSize);
  return 0;
}
int pthread_cond_destroy(void* condition) { return (void)condition, 0; }

int pthread_spin_init(int* lock, int shared) { return (void)shared, *lock = 0; }
int pthread_spin_destroy(int* lock) { return (void)lock, 0; }
int pthread_spin_lock(int* lock) { return pthread_mutex_lock(lock); }
int pthread_spin_trylock(int* lock) { return pthread_mutex_trylock(lock); }
int pthread_spin_unlock(int* lock) { return pthread_mutex_unlock(lock); }

int pthread_once(int* control, void (*initialise)(void)) {
  enum { NotYet, Running, Done };
  pthread_mutex_lock(control);
  int first = *control == NotYet;
  if (first) *control = Running;
  pthread_mutex_unlock(control);
  if (first) {
    initialise();
    *control = Done;
  }
  while (*control != Done) sched_yield();
  return 0;
}

// Values of keys, found by key and thread.
enum { Keys = 64, Slots = 256 };
static unsigned key_count;
static char has_destructor[Keys];
static struct {
  unsigned key;  // from 1; 0: free
  uintptr_t thread;
  void* value;
} slots[Slots];

int pthread_key_create(unsigned* key, void (*destructor)(void*)) {
  enum { TryAgain = 11 };
  if (key_count == Keys) {
    plumb_host_gap("how many keys there are");
    return TryAgain;
  }
  has_destructor[key_count] = destructor != NULL;
  *key = key_count++;
  return 0;
}

int pthread_key_delete(unsigned key) {
  for (int i = 0; i < Slots; ++i) {
    if (slots[i].key == key + 1) slots[i].key = 0;
  }
  return 0;
}

void* pthread_getspecific(unsigned key) {
  uintptr_t self = pthread_self();
  for (int i = 0; i < Slots; ++i) {
    if (slots[i].key == key + 1 && slots[i].thread == self) return slots[i].value;
  }
  return NULL;
}

int pthread_setspecific(unsigned key, const void* value) {
  enum { FirstThread = 1 };
  uintptr_t self = pthread_self();
  if (key >= key_count) return EINVAL;
  if (value != NULL && has_destructor[key] && self != FirstThread) plumb_destructor_of_key();
  int at = Slots;
  for (int i = Slots; i > 0; --i) {
    if (slots[i - 1].key == 0 && (at == Slots || slots[at].key == 0)) at = i - 1;
    if (slots[i - 1].key == key + 1 && slots[i - 1].thread == self) at = i - 1;
  }
  if (at == Slots) {
    plumb_host_gap("how many values keys can have");
    return ENOMEM;
  }
  slots[at].key = key + 1;
  slots[at].thread = self;
  slots[at].value = (void*)value;
  return 0;
}

// A lock for many readers or one writer, with a mutex and a condition that are known by the addresses inside it.
struct read_write_lock {
  int readers;  // -1: a writer
  int mutex;
  int condition;
};

int pthread_rwlock_init(struct read_write_lock* lock, const void* attributes) {
  (void)attributes;
  *lock = (struct read_write_lock){0, 0, 0};
  return 0;
}
int pthread_rwlock_destroy(struct read_write_lock* lock) { return (void)lock, 0; }

static int enter(struct read_write_lock* lock, int is_writer, int may_wait) {
  enum { Busy = 16 };
  pthread_mutex_lock(&lock->mutex);
  while (may_wait && (is_writer ? lock->readers != 0 : lock->readers < 0)) {
    pthread_cond_wait(&lock->condition, &lock->mutex);
  }
  int is_free = is_writer ? lock->readers == 0 : lock->readers >= 0;
  if (is_free) lock->readers += is_writer ? -1 : 1;
  pthread_mutex_unlock(&lock->mutex);
  return is_free ? 0 : Busy;
}

int pthread_rwlock_rdlock(struct read_write_lock* lock) { return enter(lock, 0, 1); }
int pthread_rwlock_wrlock(struct read_write_lock* lock) { return enter(lock, 1, 1); }
int pthread_rwlock_tryrdlock(struct read_write_lock* lock) { return enter(lock, 0, 0); }
int pthread_rwlock_trywrlock(struct read_write_lock* lock) { return enter(lock, 1, 0); }

int pthread_rwlock_unlock(struct read_write_lock* lock) {
  pthread_mutex_lock(&lock->mutex);
  lock->readers += lock->readers < 0 ? 1 : -1;
  pthread_cond_broadcast(&lock->condition);
  pthread_mutex_unlock(&lock->mutex);
  return 0;
}

// A barrier lets a round of threads go when the last of them has come.
struct barrier {
  unsigned count;
  unsigned waiting;
  unsigned round;
  int mutex;
  int condition;
};

int pthread_barrier_init(struct barrier* barrier, const void* attributes, unsigned count) {
  (void)attributes;
  if (count == 0) return EINVAL;
  *barrier = (struct barrier){count, 0, 0, 0, 0};
  return 0;
}
int pthread_barrier_destroy(struct barrier* barrier) { return (void)barrier, 0; }

int pthread_barrier_wait(struct barrier* barrier) {
  enum { SerialThread = -1 };
  pthread_mutex_lock(&barrier->mutex);
  unsigned round = barrier->round;
  int is_last = ++barrier->waiting == barrier->count;
  if (is_last) {
    barrier->waiting = 0;
    ++barrier->round;
    pthread_cond_broadcast(&barrier->condition);
  }
  while (barrier->round == round) pthread_cond_wait(&barrier->condition, &barrier->mutex);
  pthread_mutex_unlock(&barrier->mutex);
  return is_last ? SerialThread : 0;
}

// A semaphore is its value, with a mutex and a condition that are known by the addresses inside it.
struct semaphore {
  unsigned value;
  int mutex;
  int condition;
};

int sem_init(struct semaphore* semaphore, int shared, unsigned value) {
  (void)shared;
  *semaphore = (struct semaphore){value, 0, 0};
  return 0;
}
int sem_destroy(struct semaphore* semaphore) { return (void)semaphore, 0; }

int sem_post(struct semaphore* semaphore) {
  pthread_mutex_lock(&semaphore->mutex);
  ++semaphore->value;
  pthread_cond_signal(&semaphore->condition);
  pthread_mutex_unlock(&semaphore->mutex);
  return 0;
}

int sem_wait(struct semaphore* semaphore) {
  pthread_mutex_lock(&semaphore->mutex);
  while (semaphore->value == 0) pthread_cond_wait(&semaphore->condition, &semaphore->mutex);
  --semaphore->value;
  pthread_mutex_unlock(&semaphore->mutex);
  return 0;
}

int sem_trywait(struct semaphore* semaphore) {
  enum { TryAgain = 11 };
  pthread_mutex_lock(&semaphore->mutex);
  int taken = semaphore->value > 0;
  if (taken) --semaphore->value;
  pthread_mutex_unlock(&semaphore->mutex);
  if (!taken) errno = TryAgain;
  return taken ? 0 : -1;
}

int sem_getvalue(struct semaphore* semaphore, int* value) {
  pthread_mutex_lock(&semaphore->mutex);
  *value = (int)semaphore->value;
  pthread_mutex_unlock(&semaphore->mutex);
  return 0;
}
