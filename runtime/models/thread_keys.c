// Keys of <pthread.h>, whose destructors run when a thread ends. A thread that was made before there was a key with a
// destructor cannot run it; where it sets a value, that is refused.

#include "thread.h"

enum { Keys = 64 };
static unsigned key_count;
static void (*destructors[Keys])(void*);
static _Thread_local void* values[Keys];
static _Thread_local int is_followed;  // to its end

// A destructor may set values: up to PTHREAD_DESTRUCTOR_ITERATIONS rounds.
static void destroy_values(void) {
  enum { Rounds = 4 };
  for (int round = 0; round < Rounds; ++round) {
    int is_done = 1;
    for (unsigned key = 0; key < key_count; ++key) {
      void* value = values[key];
      if (value == NULL || destructors[key] == NULL) continue;
      values[key] = NULL;
      destructors[key](value);
      is_done = 0;
    }
    if (is_done) break;
  }
}

static void* run(void* given) {
  struct plumb_start start = *(struct plumb_start*)given;
  free(given);
  is_followed = 1;
  void* result = start.function(start.argument);
  destroy_values();
  return result;
}

int pthread_key_create(unsigned* key, void (*destructor)(void*)) {
  int error = 0;
  plumb_atomic_begin();
  if (key_count == Keys) {
    error = EAGAIN;
  } else {
    destructors[key_count] = destructor;
    if (destructor != NULL) {
      plumb_start_with_keys = run;
      plumb_end_with_keys = destroy_values;
    }
    *key = key_count++;
  }
  plumb_atomic_end();
  if (error != 0) plumb_host_gap("how many keys there are");
  return error;
}

int pthread_key_delete(unsigned key) {
  if (key >= Keys) return EINVAL;
  destructors[key] = NULL;
  return 0;
}

void* pthread_getspecific(unsigned key) { return key < Keys ? values[key] : NULL; }

int pthread_setspecific(unsigned key, const void* value) {
  enum { FirstThread = 1 };
  if (key >= key_count) return EINVAL;
  if (value != NULL && destructors[key] != NULL && !is_followed && pthread_self() != FirstThread)
    plumb_destructor_of_key();
  values[key] = (void*)value;
  return 0;
}
