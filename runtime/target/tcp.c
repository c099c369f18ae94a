/* A connection to the server. The name is looked up until that works once. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "target.h"

#define CONNECT_TIME 10000
#define MOST_ADDRESSES 8

static struct {
  struct sockaddr_storage address;
  socklen_t size;
} addresses[MOST_ADDRESSES];
static int address_count;

static char host[256];
static char port[8];

int is_good_address(const char* server) {
  const char* colon = strrchr(server, ':');
  const char* name = server;
  size_t length = colon != 0 ? (size_t)(colon - server) : 0;
  char* end = 0;
  unsigned long number = colon != 0 ? strtoul(colon + 1, &end, 10) : 0;
  if (length > 2 && server[0] == '[' && server[length - 1] == ']') {
    ++name;
    length -= 2;
  }
  if (length == 0 || length >= sizeof host || number == 0 || number > 65535 || *end != 0 || strlen(colon + 1) > 5) {
    say("--server wants HOST:PORT, such as 192.168.1.2:4000 or [fd00::2]:4000, not '%s'", server);
    return 0;
  }
  memcpy(host, name, length);
  host[length] = 0;
  strcpy(port, colon + 1);
  return 1;
}

static int look_up(const char** why) {
  struct addrinfo hints;
  struct addrinfo* found = 0;
  const struct addrinfo* at;
  int error;
  memset(&hints, 0, sizeof hints);
  hints.ai_socktype = SOCK_STREAM;
  error = getaddrinfo(host, port, &hints, &found);
  if (error != 0) {
    *why = gai_strerror(error);
    return 0;
  }
  for (at = found; at != 0 && address_count < MOST_ADDRESSES; at = at->ai_next) {
    if (at->ai_addrlen > sizeof addresses[0].address) continue;
    memcpy(&addresses[address_count].address, at->ai_addr, at->ai_addrlen);
    addresses[address_count++].size = at->ai_addrlen;
  }
  freeaddrinfo(found);
  return address_count != 0;
}

/* Gives 0 or an error number. */
static int finish_connection(int descriptor) {
  struct pollfd waiting;
  int error = 0;
  socklen_t size = sizeof error;
  waiting.fd = descriptor;
  waiting.events = POLLOUT;
  if (poll(&waiting, 1, CONNECT_TIME) <= 0) return ETIMEDOUT;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return errno;
  return error;
}

static int connect_one(const struct sockaddr_storage* address, socklen_t size, const char** why) {
  const int on = 1;
  int descriptor = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  int error = 0;
  if (descriptor < 0) {
    *why = strerror(errno);
    return -1;
  }
  if (connect(descriptor, (const struct sockaddr*)address, size) != 0)
    error = errno == EINPROGRESS || errno == EINTR ? finish_connection(descriptor) : errno;
  if (error == 0) {
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    return descriptor;
  }
  close(descriptor);
  *why = strerror(error);
  return -1;
}

int connect_to(const char* server, const char** why) {
  int i;
  (void)server;
  if (address_count == 0 && !look_up(why)) return -1;
  for (i = 0; i < address_count && !is_stopped; ++i) {
    int descriptor = connect_one(&addresses[i].address, addresses[i].size, why);
    if (descriptor >= 0) return descriptor;
  }
  return -1;
}
