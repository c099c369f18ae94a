// The beginning and the end of threads, which keys with destructors have a part in.

#include "thread.h"

void* (*plumb_start_with_keys)(void*);
void (*plumb_end_with_keys)(void);

int pthread_create(uintptr_t* thread, const void* attributes, void* (*start)(void*), void* argument) {
  if (plumb_start_with_keys == NULL) return plumb_thread_create(thread, attributes, start, argument);
  struct plumb_start* made = malloc(sizeof *made);
  if (made == NULL) return EAGAIN;
  *made = (struct plumb_start){start, argument};
  int error = plumb_thread_create(thread, attributes, plumb_start_with_keys, made);
  if (error != 0) free(made);
  return error;
}

_Noreturn void pthread_exit(void* result) {
  if (plumb_end_with_keys != NULL) plumb_end_with_keys();
  plumb_thread_exit(result);
}
