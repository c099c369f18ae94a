/* The outside of the models in this test: standard input is a text, what is written to any descriptor is collected. */

#include <string.h>

#include "check.h"

static const char* input = "";
static char output[1 << 16];
static size_t output_size;

void host_input(const char* text) { input = text; }

const char* host_output(void) {
  output[output_size] = 0;
  output_size = 0;
  return output;
}

long model_plumb_host_read(int descriptor, void* buffer, size_t size) {
  (void)descriptor;
  size_t length = strlen(input);
  /* Short reads, so that buffers are refilled. */
  size_t step = length < size ? length : size;
  if (step > 5) step = 5;
  memcpy(buffer, input, step);
  input += step;
  return (long)step;
}

long model_plumb_host_write(int descriptor, const void* buffer, size_t size) {
  (void)descriptor;
  if (output_size + size >= sizeof output) return -1;
  memcpy(output + output_size, buffer, size);
  output_size += size;
  return (long)size;
}

void model_plumb_destructor_of_key(void) {}

int model_plumb_host_open(const char* path, int mode) { return path[0] == '/' ? -1 : 3 + mode; }
int model_plumb_host_close(int descriptor) { return descriptor < 0 ? -1 : 0; }
long long model_plumb_host_seek(int descriptor, long long offset, int whence) {
  return descriptor < 3 || whence > 2 ? -1 : offset;
}
long long model_plumb_host_clock(int which) { return which == 0 ? 1234567890 : 5000000; }
/* As in a run of the interpreter: what the world decides has its usual value, and nothing is assumed. */
long long model_plumb_host_any(long long usual) { return usual; }
void model_plumb_host_gap(const char* what) { (void)what; }
void model_plumb_assume(int condition) { (void)condition; }

/* Nothing is called at the end. */
int model_plumb_host_at_exit(void (*function)(void)) { return (void)function, 0; }

/* No thread is started here, and none waits. */
int model_plumb_thread_create(void* thread, const void* attributes, void* (*start)(void*), void* argument) {
  return (void)thread, (void)attributes, (void)start, (void)argument, 11; /* EAGAIN */
}
int model_pthread_join(unsigned long thread, void** result) { return (void)thread, (void)result, 3; /* ESRCH */ }
void model_plumb_thread_exit(void* result) {
  (void)result;
  __builtin_trap();
}
void model_plumb_atomic_begin(void) {}
void model_plumb_atomic_end(void) {}
void model_plumb_thread_wait(void) { __builtin_trap(); }
int model_plumb_thread_timed_wait(void) { return 1; }
void model_plumb_mutex_kind(void* mutex, int kind) { (void)mutex, (void)kind; }
int model_plumb_cond_timed_wait(void* condition, void* mutex) {
  return (void)condition, (void)mutex, 110; /* ETIMEDOUT */
}
_Bool model_plumb_nondet_bool(void) { return 0; }
