/* Descriptors as channels of the link. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "target.h"

static int input = -1;
static int output = -1;
/* Nothing comes or goes there any more. */
static int is_gone;

/* As long as it takes; a signal ends it. */
static int wait_for(int descriptor, short events, int milliseconds) {
  struct pollfd waiting;
  waiting.fd = descriptor;
  waiting.events = events;
  waiting.revents = 0;
  if (is_stopped) return -1;
  if (poll(&waiting, 1, milliseconds) < 0) return errno == EINTR && !is_stopped ? 0 : -1;
  return waiting.revents != 0;
}

static int32_t read_some(void* context, uint8_t* bytes, uint32_t size, uint32_t milliseconds) {
  ssize_t got;
  int is_ready = wait_for(input, POLLIN, milliseconds < 0x7fffffffu ? (int)milliseconds : 0x7fffffff);
  (void)context;
  if (is_ready <= 0) return is_ready;
  got = read(input, bytes, size);
  if (got > 0) return (int32_t)got;
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 0;
  is_gone = 1;
  return -1;
}

/* A server that takes nothing for so long is gone. */
#define WRITE_TIME 60000

static int32_t write_all(void* context, const uint8_t* bytes, uint32_t size) {
  (void)context;
  while (size != 0 && !is_gone) {
    ssize_t written = write(output, bytes, size);
    if (written > 0) {
      bytes += written;
      size -= (uint32_t)written;
    } else if (written < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
      is_gone = 1;
    } else if (wait_for(output, POLLOUT, WRITE_TIME) <= 0) {
      return -1;
    }
  }
  return is_gone ? -1 : 0;
}

static int random_bytes(void* context, uint8_t* bytes, uint32_t size) {
  int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  ssize_t got = file >= 0 ? read(file, bytes, size) : -1;
  (void)context;
  if (file >= 0) close(file);
  return got == (ssize_t)size;
}

static struct plumb_channel channel = {0, 0, read_some, write_all, random_bytes};

int prepare_channel(const struct options* options) {
  channel.is_line = options->server == 0;
  if (options->serial != 0) return is_good_line(options->serial);
  return options->server == 0 || is_good_address(options->server);
}

const char* name_of_channel(const struct options* options) {
  if (options->server != 0) return options->server;
  return options->serial != 0 ? options->serial : "standard input";
}

const struct plumb_channel* open_channel(const struct options* options) {
  static const char* last_why;
  const char* why = 0;
  if (input >= 0) return &channel;
  if (options->is_stdio) {
    /* What is gone does not come back. */
    if (is_gone) return 0;
    input = STDIN_FILENO;
    output = STDOUT_FILENO;
    return &channel;
  }
  is_gone = 0;
  input = options->server != 0 ? connect_to(options->server, &why) : open_serial(options->serial, &why);
  output = input;
  if (input >= 0) {
    last_why = 0;
    return &channel;
  }
  if (why != 0 && (last_why == 0 || strcmp(why, last_why) != 0)) say("%s: %s", name_of_channel(options), why);
  last_why = why;
  return 0;
}

/* A line stays open: the next session is on it. */
void close_channel(void) {
  if (channel.is_line && !is_gone) return;
  if (input > STDERR_FILENO) close(input);
  input = output = -1;
}
