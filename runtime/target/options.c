#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target.h"

#define DEFAULT_STREAM_WORDS (4u << 20)
#define FEWEST_STREAM_WORDS 4096u
#define MOST_STREAM_WORDS (256u << 20)
#define SHORTEST_TOKEN 16u
#define LONGEST_TOKEN 1024u

static const char help[] =
    "plumb-target runs a program that `plumb cc --target` has made, as `plumb serve` says.\n"
    "\n"
    "  plumb-target --server HOST:PORT [OPTIONS] PROGRAM [ARGUMENTS]\n"
    "  plumb-target --serial DEVICE[:BAUD] [OPTIONS] PROGRAM [ARGUMENTS]\n"
    "  plumb-target --stdio [OPTIONS] PROGRAM [ARGUMENTS]\n"
    "\n"
    "  --server HOST:PORT   connects to the server by TCP; [ADDRESS]:PORT for IPv6\n"
    "  --serial DEVICE      a serial line that leads to the server, with 115200 baud unless BAUD says otherwise\n"
    "  --stdio              the server is at standard input and output (ssh, socat)\n"
    "  --token-file FILE    the token that the server has\n"
    "  --name NAME          what the server calls this target, at most 32 bytes; the host's name by default\n"
    "  --runner WORDS       words before the program, such as an emulator's: \"qemu-arm -L /usr/arm-linux-gnueabihf\"\n"
    "  --scratch DIRECTORY  where the program's working directory is made; TMPDIR or /tmp by default\n"
    "  --stream-words N     room for the trace of a run, in words of 4 bytes; 4194304 by default\n"
    "  -h, --help           this text\n"
    "\n"
    "The program may do on this machine whatever this user may: use a user that may do little.\n"
    "Exit code: 0 the campaign is over, 2 bad usage or refused by the server, 1 otherwise.\n";

static int complain(const char* what, const char* word) {
  say("%s%s%s%s", what, word != 0 ? " '" : "", word != 0 ? word : "", word != 0 ? "'" : "");
  say("see plumb-target --help");
  return EXIT_USAGE;
}

/* --- The program and its runner --- */

static char runner_text[4096];
static char program_path[LONGEST_PATH];

/* The words of the runner; gives how many, or -1. */
static int split_runner(const char* text, char** words) {
  int count = 0;
  char* at = runner_text;
  if (strlen(text) >= sizeof runner_text) return -1;
  strcpy(runner_text, text);
  for (;;) {
    while (*at == ' ') *at++ = 0;
    if (*at == 0) return count;
    if (count == MOST_WORDS) return -1;
    words[count++] = at;
    while (*at != 0 && *at != ' ') ++at;
  }
}

/* The program starts in another directory. */
static char* absolute(const char* path, char* buffer, size_t size) {
  if (path[0] == '/') {
    if (strlen(path) >= size) return 0;
    return strcpy(buffer, path);
  }
  if (getcwd(buffer, size) == 0 || strlen(buffer) + strlen(path) + 2 > size) return 0;
  strcat(buffer, "/");
  return strcat(buffer, path);
}

static int set_command(struct options* options, const char* runner, int count, char** words) {
  int at = runner != 0 ? split_runner(runner, options->command) : 0;
  if (at < 0) return complain("too many words, or too long:", "--runner");
  if (count > MOST_WORDS) return complain("too many arguments of the program", 0);
  options->program = words[0];
  if (access(words[0], runner != 0 ? R_OK : X_OK) != 0) {
    say("cannot run '%s': %s", words[0], strerror(errno));
    say("give the file that `plumb cc --target` has made, with its path");
    return EXIT_USAGE;
  }
  options->command[at] = absolute(words[0], program_path, sizeof program_path);
  if (options->command[at] == 0) return complain("the path is too long:", words[0]);
  memcpy(options->command + at + 1, words + 1, (size_t)(count - 1) * sizeof *words);
  options->command[at + count] = 0;
  return -1;
}

/* --- Options --- */

static char host_name[PLUMB_WIRE_NAME + 1];

static void set_defaults(struct options* options) {
  memset(options, 0, sizeof *options);
  options->stream_words = DEFAULT_STREAM_WORDS;
  if (gethostname(host_name, sizeof host_name - 1) != 0) strcpy(host_name, "board");
  options->name = host_name;
}

static int set_stream_words(struct options* options, const char* text) {
  char* end;
  unsigned long words;
  errno = 0;
  words = strtoul(text, &end, 10);
  if (errno != 0 || *end != 0 || text[0] < '0' || text[0] > '9' || words < FEWEST_STREAM_WORDS ||
      words > MOST_STREAM_WORDS)
    return complain("--stream-words wants a number from 4096 to 268435456, not", text);
  options->stream_words = (uint32_t)words;
  return -1;
}

int read_options(struct options* options, int count, char** words) {
  const char* runner = 0;
  int i = 1;
  set_defaults(options);
  for (; i < count && words[i][0] == '-'; ++i) {
    const char* word = words[i];
    const char** value = 0;
    const char* stream_words = 0;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
      fputs(help, stdout);
      return EXIT_OVER;
    }
    if (strcmp(word, "--stdio") == 0) {
      options->is_stdio = 1;
      continue;
    }
    if (strcmp(word, "--") == 0) {
      ++i;
      break;
    }
    if (strcmp(word, "--server") == 0) value = &options->server;
    if (strcmp(word, "--serial") == 0) value = &options->serial;
    if (strcmp(word, "--token-file") == 0) value = &options->token_file;
    if (strcmp(word, "--name") == 0) value = &options->name;
    if (strcmp(word, "--runner") == 0) value = &runner;
    if (strcmp(word, "--scratch") == 0) value = &options->scratch;
    if (strcmp(word, "--stream-words") == 0) value = &stream_words;
    if (value == 0) return complain("unknown option", word);
    if (++i == count) return complain("a value is missing behind", word);
    *value = words[i];
    if (stream_words != 0 && set_stream_words(options, stream_words) >= 0) return EXIT_USAGE;
  }
  if (i >= count) return complain("the program is missing", 0);
  if ((options->server != 0) + (options->serial != 0) + options->is_stdio != 1)
    return complain("one of --server, --serial and --stdio is needed", 0);
  if (strlen(options->name) > PLUMB_WIRE_NAME) return complain("a name has at most 32 bytes:", options->name);
  return set_command(options, runner, count - i, words + i);
}

/* All of the file but a new line at its end, as the server reads it. */
int read_token(const char* file, uint8_t* token, uint32_t* size) {
  int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  const char* problem;
  ssize_t got = 0;
  uint32_t used = 0;
  while (descriptor >= 0 && used < MOST_TOKEN && (got = read(descriptor, token + used, MOST_TOKEN - used)) > 0)
    used += (uint32_t)got;
  if (descriptor < 0 || got < 0) {
    say("cannot read the token in '%s': %s", file, strerror(errno));
    if (descriptor >= 0) close(descriptor);
    return 0;
  }
  close(descriptor);
  if (used != 0 && token[used - 1] == '\n') --used;
  *size = used;
  if (memchr(token, '\r', used) != 0 || memchr(token, '\n', used) != 0) {
    problem = "has more than one line, or a carriage return";
  } else if (used < SHORTEST_TOKEN || used > LONGEST_TOKEN) {
    problem = used < SHORTEST_TOKEN ? "is too short" : "is too long";
  } else {
    return 1;
  }
  say("the token in '%s' %s: it is a line of %u to %u bytes, as `plumb serve --token-file` wants it", file, problem,
      SHORTEST_TOKEN, LONGEST_TOKEN);
  return 0;
}
