/*
 * Our side of the program's fork server (protocol.h), as src/concolic/execute/fork_server.cpp has it on the host. The
 * server is a child subreaper: what a run leaves behind becomes the server's child, so that the kernel's list of the
 * server's children names every straggler. A run's child leads a group of its own, which is killed first; after that
 * the list is read and killed until nothing new appears.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target.h"

/* In ms: how long the program may take to start, and to tell of a child that was killed. */
#define START_TIME 30000u
#define ANSWER_TIME 5000u

/* --- Starting and stopping --- */

/* Above the protocol's descriptors, so that none is in the way of another in the child. */
static int above_protocol(int descriptor) {
  int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, PLUMB_STATUS_DESCRIPTOR + 1);
  close(descriptor);
  return moved;
}

/* Sockets, so that writing to a process that has gone raises no signal. */
static int make_pair(int* ours, int* theirs) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return 0;
  *ours = ends[0];
  *theirs = above_protocol(ends[1]);
  return *theirs >= 0;
}

static int open_children(pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)pid, (long)pid);
  return open(path, O_RDONLY | O_CLOEXEC);
}

int start_program(struct program* program, int segment) {
  struct launch launched = {0};
  program->commands = program->answers = program->children = -1;
  launched.command = program->command;
  launched.directory = program->directory;
  launched.output = -1;
  launched.parent = getpid();
  launched.commands = launched.answers = -1;
  launched.segment = fcntl(segment, F_DUPFD_CLOEXEC, PLUMB_STATUS_DESCRIPTOR + 1);
  program->pid = -1;
  if (launched.segment >= 0 && make_pair(&program->commands, &launched.commands) &&
      make_pair(&program->answers, &launched.answers))
    program->pid = fork();
  if (program->pid == 0) launch(&launched);
  if (launched.segment >= 0) close(launched.segment);
  if (launched.commands >= 0) close(launched.commands);
  if (launched.answers >= 0) close(launched.answers);
  program->has_answered = 0;
  program->idle = 0;
  if (program->pid > 0) {
    program->children = open_children(program->pid);
    return 1;
  }
  say("cannot start '%s': %s", program->command[0], strerror(errno));
  if (program->commands >= 0) close(program->commands);
  if (program->answers >= 0) close(program->answers);
  program->pid = 0;
  return 0;
}

#define MOST_CHILDREN 512

/* Gives how many there are, of those that fit. */
static int read_children(int list, pid_t* pids) {
  char text[4096];
  ssize_t size = list >= 0 ? pread(list, text, sizeof text - 1, 0) : 0;
  const char* at = text;
  int count = 0;
  if (size <= 0) return 0;
  text[size] = 0;
  while (count < MOST_CHILDREN) {
    char* end;
    long pid = strtol(at, &end, 10);
    /* What the buffer cuts off may be half a number; the next round sees it whole. */
    if (end == at || *end == 0) break;
    if (pid > 1) pids[count++] = (pid_t)pid;
    at = end;
  }
  return count;
}

/* Ended, whether its parent has waited for it or not. */
static int has_ended(pid_t pid) {
  char path[32];
  char text[512];
  const char* state;
  ssize_t size;
  int file;
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
  file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 1;
  size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return 1;
  text[size] = 0;
  state = strrchr(text, ')');
  return state != 0 && (state[2] == 'Z' || state[2] == 'X');
}

/* 0: there is no end to it. */
static int kill_stragglers(const struct program* program) {
  const int rounds = 1000;
  int last_count = -1;
  int round;
  for (round = 0; round < rounds; ++round) {
    pid_t pids[MOST_CHILDREN];
    int count = read_children(program->children, pids);
    int alive = 0;
    int i;
    for (i = 0; i < count; ++i) {
      kill(pids[i], SIGKILL);
      alive += !has_ended(pids[i]);
    }
    /* The dead stay in the list until the server has waited for them, which it does before its next run. */
    if (count == 0 || (alive == 0 && count == last_count)) return 1;
    if (round > 2) poll(0, 0, 1);
    last_count = count;
  }
  return 0;
}

void stop_program(struct program* program) {
  if (program->pid <= 0) return;
  /* Stopped first, so that it starts nothing while its children are killed; they are lost sight of once it is gone. */
  kill(program->pid, SIGSTOP);
  kill_stragglers(program);
  kill(-program->pid, SIGKILL);
  kill(program->pid, SIGKILL);
  while (waitpid(program->pid, 0, 0) < 0 && errno == EINTR) {
  }
  close(program->commands);
  close(program->answers);
  if (program->children >= 0) close(program->children);
  program->pid = 0;
}

/* --- Limits --- */

static void set_limit(pid_t pid, int resource, uint64_t amount) {
  struct rlimit limit;
  if (prlimit(pid, resource, 0, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max != RLIM_INFINITY && amount > limit.rlim_max ? limit.rlim_max : (rlim_t)amount;
  prlimit(pid, resource, &limit, 0);
}

/* Bytes; 0 if the process has gone. */
static uint64_t address_space(pid_t pid) {
  char path[32];
  char text[64];
  ssize_t size;
  int file;
  snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
  file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return 0;
  text[size] = 0;
  return strtoull(text, 0, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t memory_limit(const struct program* program, const struct plumb_order* order) {
  uint64_t most = sizeof(void*) == 4 ? UINT32_MAX : UINT64_MAX / 2;
  uint64_t wanted = program->idle + ((uint64_t)order->memory << 20);
  return order->memory == 0 || wanted > most ? (uint64_t)RLIM_INFINITY : wanted;
}

/* Of the fork server, which children inherit. */
static void limit_program(const struct program* program, const struct plumb_order* order) {
  set_limit(program->pid, RLIMIT_FSIZE, (uint64_t)order->file_size << 10);
  if (program->idle != 0) set_limit(program->pid, RLIMIT_AS, memory_limit(program, order));
}

/* The address space of the idle server is known only once it has answered. */
static void limit_child(struct program* program, pid_t child, const struct plumb_order* order) {
  if (program->idle == 0) {
    program->idle = address_space(program->pid);
    if (program->idle != 0) {
      set_limit(program->pid, RLIMIT_AS, memory_limit(program, order));
      set_limit(child, RLIMIT_AS, memory_limit(program, order));
    }
  }
  set_limit(child, RLIMIT_CPU, (order->milliseconds + 999u) / 1000u + 1u);
}

/* --- Runs --- */

enum reading { READ_WORD, READ_LATE, READ_CLOSED };

static enum reading read_word(int descriptor, uint32_t* word, uint64_t deadline) {
  uint8_t bytes[sizeof *word];
  size_t have = 0;
  while (have < sizeof bytes) {
    ssize_t size = recv(descriptor, bytes + have, sizeof bytes - have, MSG_DONTWAIT);
    uint64_t now = microseconds_now();
    struct pollfd waiting;
    if (size > 0) {
      have += (size_t)size;
      continue;
    }
    if (size == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) return READ_CLOSED;
    if (now >= deadline || is_stopped) return READ_LATE;
    waiting.fd = descriptor;
    waiting.events = POLLIN;
    poll(&waiting, 1, (int)((deadline - now) / 1000u) + 1);
  }
  memcpy(word, bytes, sizeof bytes);
  return READ_WORD;
}

static uint64_t after(uint32_t milliseconds) { return microseconds_now() + (uint64_t)milliseconds * 1000u; }

/* Gives 0 if the fork server is lost. */
static int run_once(struct program* program, const struct plumb_order* order, struct plumb_ending* ending) {
  const uint32_t command = PLUMB_RUN;
  uint64_t start;
  uint32_t word = 0;
  enum reading reading;
  pid_t child;
  int is_late;
  limit_program(program, order);
  if (send(program->commands, &command, sizeof command, MSG_NOSIGNAL) != (ssize_t)sizeof command) return 0;
  /* A server that was started just now links the program first, which is no part of the run. */
  if (read_word(program->answers, &word, after(START_TIME)) != READ_WORD) return 0;
  child = (pid_t)word;
  if (child <= 1) return 0;
  program->has_answered = 1;
  limit_child(program, child, order);
  start = microseconds_now();
  reading = read_word(program->answers, &word, after(order->milliseconds));
  is_late = reading == READ_LATE;
  if (is_late) {
    kill(child, SIGKILL);
    reading = read_word(program->answers, &word, after(ANSWER_TIME));
  }
  ending->microseconds = (uint32_t)(microseconds_now() - start);
  if (reading != READ_WORD) return 0;
  /* Its group may live on without it. */
  kill(-child, SIGKILL);
  if (is_late) {
    ending->how = PLUMB_WIRE_TIMED_OUT;
  } else if (WIFSIGNALED((int)word)) {
    ending->how = PLUMB_WIRE_SIGNALLED;
    ending->code = (uint32_t)WTERMSIG((int)word);
  } else {
    ending->how = PLUMB_WIRE_EXITED;
    ending->code = (uint32_t)WEXITSTATUS((int)word);
  }
  return kill_stragglers(program);
}

void run_program(struct program* program, int segment, const struct plumb_order* order, struct plumb_ending* ending) {
  int attempt;
  memset(ending, 0, sizeof *ending);
  for (attempt = 0; attempt < 2 && !is_stopped; ++attempt) {
    int had_answered;
    if (program->pid == 0 && !start_program(program, segment)) break;
    if (run_once(program, order, ending)) return;
    had_answered = program->has_answered;
    stop_program(program);
    if (!had_answered) continue;
    ending->how = PLUMB_WIRE_LOST;
    return;
  }
  /* Lost before it has answered once, twice in a row. */
  ending->how = PLUMB_WIRE_CANNOT_START;
}
