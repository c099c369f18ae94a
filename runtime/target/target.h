/*
 * plumb-target: runs an instrumented program on a board with Linux, again and again as the server says. What its files
 * share. One thread; memory is taken when it starts and when a session needs a larger segment, never else.
 */
#ifndef PLUMB_TARGET_TARGET_H
#define PLUMB_TARGET_TARGET_H

#include <stdint.h>
#include <sys/types.h>

#include "../concolic/protocol.h"
#include "../link/link.h"

enum { EXIT_OVER = 0, EXIT_TROUBLE = 1, EXIT_USAGE = 2 };

/* On standard error, with the program's name before and a new line behind. */
void say(const char* format, ...) __attribute__((format(printf, 1, 2)));
/* SIGINT or SIGTERM has come. */
extern volatile int is_stopped;
/* Of the clock that only goes forward. */
uint64_t microseconds_now(void);

/* --- Options --- */

#define MOST_WORDS 64
#define MOST_TOKEN 2048

struct options {
  const char* server; /* one of these three */
  const char* serial;
  int is_stdio;
  const char* name;
  const char* scratch;
  const char* token_file;
  uint32_t stream_words;
  char* command[2 * MOST_WORDS + 1]; /* the runner's words, the program, its arguments, null */
  const char* program;
};
/* Gives 0, or the exit code with which to end. */
int read_options(struct options* options, int count, char** words);
int read_token(const char* file, uint8_t* token, uint32_t* size);

/* --- Channels --- */

/* Ready to be opened; gives 0 and a message if the words make no sense. */
int prepare_channel(const struct options* options);
/* Gives null if it cannot be opened now. */
const struct plumb_channel* open_channel(const struct options* options);
/* A session is over. */
void close_channel(void);
/* For messages. */
const char* name_of_channel(const struct options* options);
/* Of tcp.c and serial.c: a descriptor, or -1 with a message in `why`. */
int connect_to(const char* server, const char** why);
int open_serial(const char* device, const char** why);
/* With a message if it is not. */
int is_good_address(const char* server);
int is_good_line(const char* device);

/* --- The shared segment --- */

struct segment {
  struct plumb_shared layout; /* what we have written; the program may have changed its copy */
  uint8_t* memory;
  int descriptor;
};
/* Room for so many bytes of inputs; gives 0 if there is no memory. What the segment was before is given back. */
int make_segment(struct segment* segment, uint32_t edges, uint32_t regions, uint32_t stream_words, uint32_t inputs);

/* --- The program --- */

struct program {
  char** command;
  const char* directory;
  pid_t pid; /* 0: it does not run */
  int commands;
  int answers;
  int children; /* the kernel's list of them, or -1 */
  int has_answered;
  uint64_t idle; /* bytes of address space before its first run */
};
/* Gives 0 if it is not a program of plumb or cannot be started, with a message. */
int ask_identity(const struct program* program, struct plumb_identity* identity);
int start_program(struct program* program, int segment);
void stop_program(struct program* program);
/* One run of what is in the segment, to the end of all its processes. Starts the program if it does not run. */
void run_program(struct program* program, int segment, const struct plumb_order* order, struct plumb_ending* ending);

/* In the child of a fork: descriptors, limits, signals, then the program. Does not return. */
struct launch {
  char** command;
  const char* directory;
  const char* variable; /* one more of the environment, or null */
  int output;
  int segment; /* -1: none, nor the two others */
  int commands;
  int answers;
  pid_t parent;
};
void launch(const struct launch* launch) __attribute__((noreturn));

/* --- The directory that the program runs in --- */

#define LONGEST_PATH 4096
/* Makes it; gives its path, or null with a message. */
const char* make_scratch(const char* parent);
/* Removes all that is in it; gives 0 if that fails: another must be made. */
int empty_scratch(void);
void remove_scratch(void);

/* --- Orders --- */

struct work {
  struct plumb_link link;
  struct plumb_identity identity;
  struct program program;
  struct segment segment;
  const struct options* options;
  uint8_t* last_coverage; /* of the session's last run: a byte an edge */
  uint8_t* modes;         /* of the session: a byte a region */
  uint32_t runs;
};
/* Memory and the segment; 0 if there is not enough. */
int prepare_work(struct work* work);
/* A session from the handshake to its end: enum plumb_link_state. */
int work_session(struct work* work, const struct plumb_channel* channel);

#endif
