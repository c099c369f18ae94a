/*
 * The transport on a POSIX host: records go straight into shared memory; a fork server, which runs before all of the
 * program's own code, starts a fresh process for every run. A run touches few pages that its parent has not, so that
 * starting it costs little more than a fork.
 */
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../checks/checks.h"

struct plumb_shared* plumb_shared;
PLUMB_THREAD_LOCAL uint32_t plumb_is_traced;

/* A program that starts without an engine, or with one that speaks otherwise. */
#define EXIT_BAD_SEGMENT 3
#define EXIT_ERROR 1
#define EXIT_SKIPPED 77

/* Of programs for boards alone. */
#pragma weak __plumb_identity
extern const struct {
  uint8_t fingerprint[32];
  uint32_t edges;
  uint32_t regions;
} __plumb_identity;
#define PLUMB_IDENTITY_VARIABLE "PLUMB_IDENTITY"

static int make_room(uint32_t words) {
  (void)words;
  return 0;
}

/* In another thread or process there is no record of it: the exit code tells. */
static void end(uint32_t code) {
  if (plumb_is_traced) plumb_shared->ended = 1;
  _exit(plumb_is_traced || code != PLUMB_END_ASSUME ? 0 : EXIT_SKIPPED);
}

static int is_abort_handled(void) { return plumb_is_handled(SIGABRT); }

static void fail(uint32_t error) {
  if (plumb_is_traced && !(error == PLUMB_ERROR_ABORT && is_abort_handled())) _exit(EXIT_ERROR);
  abort();
}

const struct plumb_transport plumb_transport = {make_room, end, fail, is_abort_handled};

static void stop_tracing(void) {
  plumb_recording = 0;
  plumb_is_cut = 0;
  plumb_is_traced = 0;
}

int __plumb_fork(void) {
  if (plumb_shared != 0) {
    uint32_t left = __atomic_load_n(&plumb_shared->processes, __ATOMIC_RELAXED);
    do {
      if (left == 0) {
        errno = EAGAIN;
        return -1;
      }
    } while (
        !__atomic_compare_exchange_n(&plumb_shared->processes, &left, left - 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  }
  return fork();
}

/* Who the program is, as 32 bytes and two numbers of 4, the lowest byte first; then it is done. */
static void tell_identity(void) {
  uint8_t bytes[sizeof __plumb_identity.fingerprint + 8];
  uint32_t size = sizeof __plumb_identity.fingerprint;
  uint32_t i;
  if (&__plumb_identity == 0 || getenv(PLUMB_IDENTITY_VARIABLE) == 0) return;
  for (i = 0; i < size; ++i) bytes[i] = __plumb_identity.fingerprint[i];
  for (i = 0; i < 4; ++i) {
    bytes[size + i] = (uint8_t)(__plumb_identity.edges >> 8 * i);
    bytes[size + 4 + i] = (uint8_t)(__plumb_identity.regions >> 8 * i);
  }
  _exit(write(STDOUT_FILENO, bytes, sizeof bytes) == (ssize_t)sizeof bytes ? 0 : EXIT_ERROR);
}

static void map_table(uint8_t* table, uint32_t size, int protection, uint32_t offset, uint32_t shared_size) {
  if (size == 0) return;
  if (size > shared_size ||
      mmap(table, size, protection, MAP_SHARED | MAP_FIXED, PLUMB_SHARED_DESCRIPTOR, (off_t)offset) == MAP_FAILED)
    _exit(EXIT_BAD_SEGMENT);
}

/* Gives 0 if there is no segment: the program was started by hand. */
static int map_segment(void) {
  struct plumb_shared head;
  void* segment;
  if (pread(PLUMB_SHARED_DESCRIPTOR, &head, sizeof head, 0) != (ssize_t)sizeof head || head.magic != PLUMB_MAGIC)
    return 0;
  if (head.version != PLUMB_PROTOCOL_VERSION) _exit(EXIT_BAD_SEGMENT);
  segment = mmap(0, head.segment_size, PROT_READ | PROT_WRITE, MAP_SHARED, PLUMB_SHARED_DESCRIPTOR, 0);
  if (segment == MAP_FAILED) _exit(EXIT_BAD_SEGMENT);
  map_table(__plumb_coverage, __plumb_coverage_size, PROT_READ | PROT_WRITE, head.coverage_offset, head.coverage_size);
  map_table(__plumb_modes, __plumb_modes_size, PROT_READ, head.modes_offset, head.modes_size);
  close(PLUMB_SHARED_DESCRIPTOR);
  plumb_shared = segment;
  return 1;
}

/* In the child: the run begins. */
static void start_run(void) {
  struct plumb_shared* shared = plumb_shared;
  uint8_t* segment = (uint8_t*)shared;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close(PLUMB_COMMAND_DESCRIPTOR);
  close(PLUMB_STATUS_DESCRIPTOR);
  shared->stream_words = 0;
  shared->ended = 0;
  shared->fault_address_low = 0;
  shared->fault_address_high = 0;
  if (shared->stream_capacity <= PLUMB_RESERVED_WORDS) _exit(EXIT_BAD_SEGMENT);
  plumb_state.stream = (uint32_t*)(void*)(segment + shared->stream_offset);
  plumb_state.capacity = shared->stream_capacity - PLUMB_RESERVED_WORDS;
  plumb_state.published = &shared->stream_words;
  plumb_state.next_id = 1;
  plumb_state.max_inputs = shared->max_inputs;
  plumb_state.max_nodes = shared->max_nodes;
  plumb_state.max_object = shared->max_object;
  plumb_state.given = segment + shared->inputs_offset;
  plumb_state.given_size = shared->inputs_size;
  plumb_state.random_low = shared->random_low;
  plumb_state.random_high = shared->random_high;
  plumb_is_traced = 1;
  plumb_recording = 1;
}

static void answer(uint32_t word) {
  ssize_t written;
  do written = write(PLUMB_STATUS_DESCRIPTOR, &word, sizeof word);
  while (written < 0 && errno == EINTR);
  if (written != (ssize_t)sizeof word) _exit(0);
}

static int next_command(void) {
  uint32_t command = 0;
  ssize_t got;
  do got = read(PLUMB_COMMAND_DESCRIPTOR, &command, sizeof command);
  while (got < 0 && errno == EINTR);
  return got == (ssize_t)sizeof command && command == PLUMB_RUN;
}

/* Processes that earlier runs left behind became children of this one when they were orphaned. */
static void reap_orphans(void) {
  while (waitpid(-1, 0, WNOHANG) > 0) {
  }
}

/* Returns in the child of a run, never in the server. */
static void serve(void) {
  while (next_command()) {
    int status = 0;
    pid_t child;
    reap_orphans();
    child = fork();
    if (child == 0) {
      start_run();
      return;
    }
    answer((uint32_t)child);
    if (child > 0) {
      setpgid(child, child);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
    }
    answer((uint32_t)status);
  }
  _exit(0);
}

/* Before the constructors of the program. */
__attribute__((constructor(101))) static void begin(void) {
  tell_identity();
  plumb_begin_checks();
  plumb_watch_signals();
  if (!map_segment()) return;
  plumb_prepare_objects();
  pthread_atfork(0, 0, stop_tracing);
  serve();
}
