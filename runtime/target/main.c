/*
 * Sessions one after the other. A session that breaks is begun anew, after a pause that grows as long as there is no
 * server; one that the server ends for good, or refuses, is the last.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "target.h"

volatile int is_stopped;

void say(const char* format, ...) {
  va_list list;
  va_start(list, format);
  fputs("plumb-target: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
}

uint64_t microseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static void stop(int signal_number) {
  (void)signal_number;
  is_stopped = 1;
}

/* Without restarting calls that wait. */
static void watch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = stop;
  sigaction(SIGINT, &action, 0);
  sigaction(SIGTERM, &action, 0);
  sigaction(SIGHUP, &action, 0);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, 0);
}

/* What the server said, without anything that a terminal could mistake; empty if it said nothing. */
static const char* farewell_of(const struct plumb_link* link) {
  static char text[PLUMB_WIRE_FAREWELL + 1];
  uint32_t size = link->farewell_size < PLUMB_WIRE_FAREWELL ? link->farewell_size : PLUMB_WIRE_FAREWELL;
  uint32_t i;
  if (link->farewell == 0) size = 0;
  for (i = 0; i < size; ++i) {
    uint8_t byte = link->farewell[i];
    text[i] = byte >= 32 && byte < 127 ? (char)byte : '?';
  }
  text[size] = 0;
  return text;
}

static void say_farewell(const struct plumb_link* link) {
  const char* text = farewell_of(link);
  if (text[0] != 0) say("the server says: %s", text);
}

#define SHORTEST_PAUSE 1u
#define LONGEST_PAUSE 5u

static uint32_t longer_pause(uint32_t seconds) { return 2 * seconds < LONGEST_PAUSE ? 2 * seconds : LONGEST_PAUSE; }

/* Seconds, ended by a signal. */
static void pause_for(uint32_t seconds) {
  struct timespec time;
  time.tv_sec = (time_t)seconds;
  time.tv_nsec = 0;
  if (!is_stopped) nanosleep(&time, 0);
}

/* Why the server refuses this target, or this target the server, and what to do about it. */
static void explain_refusal(const struct work* work) {
  const char* said = farewell_of(&work->link);
  const char* why = said[0] != 0 ? said : work->link.trouble;
  if (said[0] != 0) {
    say("the server says: %s", said);
  } else {
    say("the session is refused: %s", why);
  }
  if (strstr(why, "token") != 0) say("give --token-file the file that `plumb serve --token-file` has");
  if (strstr(why, "program") != 0)
    say("'%s' is not the file that the server was started with: copy that one here once more", work->options->program);
}

static int end_work(const struct work* work, int state) {
  if (state == PLUMB_LINK_OVER) {
    say("the campaign is over: %u runs", work->runs);
    return EXIT_OVER;
  }
  explain_refusal(work);
  return EXIT_USAGE;
}

static int work_on(struct work* work) {
  uint32_t seconds = SHORTEST_PAUSE;
  int is_waiting = 0;
  while (!is_stopped) {
    const struct plumb_channel* channel = open_channel(work->options);
    int state;
    if (channel == 0) {
      if (work->options->is_stdio) return EXIT_TROUBLE;
      if (!is_waiting) say("waiting for %s", name_of_channel(work->options));
      is_waiting = 1;
      pause_for(seconds);
      seconds = longer_pause(seconds);
      continue;
    }
    is_waiting = 0;
    work->link.session = 0;
    state = work_session(work, channel);
    close_channel();
    if (state == PLUMB_LINK_OVER || state == PLUMB_LINK_REFUSED) return end_work(work, state);
    if (is_stopped) break;
    say_farewell(&work->link);
    say("the link is lost%s%s", work->link.trouble != 0 ? ": " : "", work->link.trouble != 0 ? work->link.trouble : "");
    if (work->link.session != 0) seconds = SHORTEST_PAUSE;
    pause_for(seconds);
    if (work->link.session == 0) seconds = longer_pause(seconds);
  }
  say("stopped after %u runs", work->runs);
  return EXIT_TROUBLE;
}

static struct work work;
static uint8_t token[MOST_TOKEN];
static uint8_t received[PLUMB_WIRE_HEAD + PLUMB_WIRE_PAYLOAD];
static uint8_t sent[PLUMB_WIRE_HEAD + PLUMB_WIRE_PAYLOAD];

static uint8_t flags_of_machine(void) {
  const uint16_t one = 1;
  uint8_t flags = *(const uint8_t*)&one == 0 ? PLUMB_WIRE_BIG_ENDIAN : 0;
  if (sizeof(void*) == 8) flags |= PLUMB_WIRE_LONG_POINTERS;
  return flags;
}

int main(int count, char** words) {
  struct options options;
  int code = read_options(&options, count, words);
  if (code >= 0) return code;
  watch_signals();
  work.options = &options;
  work.identity.name = options.name;
  work.identity.flags = flags_of_machine();
  if (options.token_file != 0) {
    if (!read_token(options.token_file, token, &work.identity.token_size)) return EXIT_USAGE;
    work.identity.token = token;
  }
  if (!prepare_channel(&options)) return EXIT_USAGE;
  work.program.command = options.command;
  work.program.directory = make_scratch(options.scratch);
  if (work.program.directory == 0) return EXIT_TROUBLE;
  work.link.identity = &work.identity;
  work.link.in = received;
  work.link.in_size = sizeof received;
  work.link.out = sent;
  work.link.out_size = sizeof sent;
  work.link.entropy = microseconds_now() ^ (uint64_t)getpid() << 32;
  code = EXIT_USAGE;
  if (ask_identity(&work.program, &work.identity)) code = prepare_work(&work) ? work_on(&work) : EXIT_TROUBLE;
  stop_program(&work.program);
  remove_scratch();
  return code;
}
