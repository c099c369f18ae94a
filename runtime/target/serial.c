/* A serial line: bytes as they are, without flow control. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "target.h"

#define DEFAULT_BAUD 115200ul

static const struct {
  unsigned long baud;
  speed_t speed;
} speeds[] = {{1200, B1200},       {2400, B2400},       {4800, B4800},       {9600, B9600},       {19200, B19200},
              {38400, B38400},     {57600, B57600},     {115200, B115200},   {230400, B230400},   {460800, B460800},
              {500000, B500000},   {576000, B576000},   {921600, B921600},   {1000000, B1000000}, {1500000, B1500000},
              {2000000, B2000000}, {3000000, B3000000}, {4000000, B4000000}};
#define SPEEDS (sizeof speeds / sizeof speeds[0])

/* Gives 0 if there is no such speed. */
static int speed_of(unsigned long baud, speed_t* speed) {
  size_t i;
  for (i = 0; i < SPEEDS; ++i)
    if (speeds[i].baud == baud) {
      *speed = speeds[i].speed;
      return 1;
    }
  return 0;
}

/* The device's path, and the number behind its last colon if the whole is no file. */
static unsigned long split(const char* device, char* path, size_t size) {
  char* colon;
  char* end;
  unsigned long baud;
  if (strlen(device) >= size) return 0;
  strcpy(path, device);
  colon = strrchr(path, ':');
  if (colon == 0 || access(path, F_OK) == 0) return DEFAULT_BAUD;
  baud = strtoul(colon + 1, &end, 10);
  if (*end != 0 || end == colon + 1) return DEFAULT_BAUD;
  *colon = 0;
  return baud;
}

int is_good_line(const char* device) {
  char path[LONGEST_PATH];
  char list[SPEEDS * 9];
  unsigned long baud;
  speed_t speed;
  size_t used = 0;
  size_t i;
  if (strlen(device) >= sizeof path) {
    say("the path behind --serial is too long");
    return 0;
  }
  baud = split(device, path, sizeof path);
  if (speed_of(baud, &speed)) return 1;
  for (i = 0; i < SPEEDS; ++i)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%lu", i != 0 ? ", " : "", speeds[i].baud);
  say("--serial %s: %lu is no speed of a serial line; there are %s", device, baud, list);
  return 0;
}

int open_serial(const char* device, const char** why) {
  char path[LONGEST_PATH];
  struct termios settings;
  speed_t speed;
  int descriptor;
  if (!speed_of(split(device, path, sizeof path), &speed)) {
    *why = "no such speed";
    return -1;
  }
  descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    *why = strerror(errno);
    return -1;
  }
  /* What is no terminal (a device that only moves bytes) has no settings. */
  if (tcgetattr(descriptor, &settings) != 0) return descriptor;
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~(tcflag_t)(CSTOPB | HUPCL);
  settings.c_cc[VMIN] = 0;
  settings.c_cc[VTIME] = 0;
  cfsetispeed(&settings, speed);
  cfsetospeed(&settings, speed);
  if (tcsetattr(descriptor, TCSANOW, &settings) == 0) return descriptor;
  *why = strerror(errno);
  close(descriptor);
  return -1;
}
