/*
 * Starting the program: in a session of its own, with nothing open but /dev/null and the protocol's descriptors, at
 * fixed addresses so that runs with the same inputs are the same, and so that it dies with us.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target.h"

#define CANNOT_START 127
#define SECONDS_TO_START 30

static void connect_descriptor(int from, int to) {
  if (dup2(from, to) < 0) _exit(CANNOT_START);
}

static void close_others(const struct launch* launch) {
  struct rlimit limit;
  int most = 4096;
  int i;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t)most) most = (int)limit.rlim_cur;
  for (i = STDERR_FILENO + 1; i < most; ++i) {
    int is_protocol = i >= PLUMB_SHARED_DESCRIPTOR && i <= PLUMB_STATUS_DESCRIPTOR;
    if (launch->segment < 0 || !is_protocol) close(i);
  }
}

static void set_default_signals(void) {
  struct sigaction action;
  sigset_t none;
  int i;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  for (i = 1; i < NSIG; ++i) sigaction(i, &action, 0);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
}

static void set_environment(const struct launch* launch) {
  static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
  const char* libraries = getenv("LD_LIBRARY_PATH");
  clearenv();
  putenv(path);
  /* Without it a program may not find its shared libraries at all. */
  if (libraries != 0) setenv("LD_LIBRARY_PATH", libraries, 1);
  if (launch->variable != 0) setenv(launch->variable, "1", 1);
}

void launch(const struct launch* launch) {
  const struct rlimit no_core = {0, 0};
  int null = open("/dev/null", O_RDWR);
  if (null < 0 || setsid() < 0) _exit(CANNOT_START);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launch->parent) _exit(CANNOT_START);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  connect_descriptor(null, STDIN_FILENO);
  connect_descriptor(launch->output >= 0 ? launch->output : null, STDOUT_FILENO);
  /* What the dynamic linker has to say is for the user. */
  if (launch->segment >= 0) connect_descriptor(null, STDERR_FILENO);
  if (launch->segment >= 0) {
    connect_descriptor(launch->segment, PLUMB_SHARED_DESCRIPTOR);
    connect_descriptor(launch->commands, PLUMB_COMMAND_DESCRIPTOR);
    connect_descriptor(launch->answers, PLUMB_STATUS_DESCRIPTOR);
  }
  close_others(launch);
  if (chdir(launch->directory) != 0) _exit(CANNOT_START);
  setrlimit(RLIMIT_CORE, &no_core);
  umask(022);
  personality(ADDR_NO_RANDOMIZE);
  set_default_signals();
  set_environment(launch);
  execvp(launch->command[0], launch->command);
  _exit(CANNOT_START);
}

/* --- Who it is --- */

#define IDENTITY_SIZE (PLUMB_WIRE_FINGERPRINT + 8u)

static uint32_t number_at(const uint8_t* bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* One byte more than there should be, to see that there is none. Gives how many came in time. */
static uint32_t read_answer(int descriptor, uint8_t* bytes, uint32_t most) {
  uint64_t deadline = microseconds_now() + SECONDS_TO_START * UINT64_C(1000000);
  uint32_t size = 0;
  while (size < most && !is_stopped) {
    uint64_t now = microseconds_now();
    struct pollfd waiting;
    ssize_t got;
    waiting.fd = descriptor;
    waiting.events = POLLIN;
    if (now >= deadline || poll(&waiting, 1, (int)((deadline - now) / 1000u) + 1) <= 0) break;
    got = read(descriptor, bytes + size, most - size);
    if (got <= 0) break;
    size += (uint32_t)got;
  }
  return size;
}

static void say_how_it_ended(const char* program, int status) {
  if (WIFSIGNALED(status)) say("cannot run '%s': it was killed by signal %d", program, WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_START) say("cannot start '%s'", program);
  say("'%s' does not say which program it is; is it one that `plumb cc --target` has made for this machine, and are "
      "its "
      "shared libraries there?",
      program);
}

int ask_identity(const struct program* program, struct plumb_identity* identity) {
  struct launch launched = {0};
  uint8_t answer[IDENTITY_SIZE + 1];
  uint32_t size = 0;
  int status = 0;
  int ends[2];
  pid_t child;
  if (pipe(ends) != 0) {
    say("cannot make a pipe: %s", strerror(errno));
    return 0;
  }
  launched.command = program->command;
  launched.directory = program->directory;
  launched.variable = "PLUMB_IDENTITY";
  launched.output = ends[1];
  launched.segment = -1;
  launched.parent = getpid();
  child = fork();
  if (child == 0) launch(&launched);
  close(ends[1]);
  if (child > 0) {
    size = read_answer(ends[0], answer, sizeof answer);
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  close(ends[0]);
  if (child > 0 && size == IDENTITY_SIZE) {
    memcpy(identity->fingerprint, answer, sizeof identity->fingerprint);
    identity->edges = number_at(answer + PLUMB_WIRE_FINGERPRINT);
    identity->regions = number_at(answer + PLUMB_WIRE_FINGERPRINT + 4);
    return 1;
  }
  if (!is_stopped) say_how_it_ended(program->command[0], status);
  return 0;
}
