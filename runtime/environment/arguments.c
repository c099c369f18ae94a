/*
 * What a program starts with: makes the inputs of the environment in the order of instrument/symbolic_environment.h, and of these
 * arguments, variables, files and standard input. The text says how many and how large, one part a line:
 *
 *     text HEX             a plain argument; the first is the program's name
 *     arguments MIN MAX LENGTH
 *     variable NAME LENGTH
 *     files COUNT SIZE
 *     stdin SIZE
 *     failing COUNT
 */
#include "environment.h"

void plumb_symbolic(void* memory, size_t size, const char* name);
void* malloc(size_t size);
extern char** environ;

char** plumb_env_argv;
struct plumb_env_file plumb_env_files[PLUMB_ENV_FILES];
uint32_t plumb_env_file_count;
uint32_t plumb_env_failing_count;
uint32_t* plumb_env_failing;

static uint32_t argument_count;
static uint32_t argument_number;

/* What the environment consists of stays to the end, whether the program has a way to it or not: none of it is a leak. */
struct made {
  void* memory;
  struct made* before;
};
static struct made* last_made;

static void* make(size_t size) {
  struct made* made = malloc(sizeof *made);
  made->memory = malloc(size);
  made->before = last_made;
  last_made = made;
  return made->memory;
}

static int is_end(char c) { return c == ' ' || c == '\n' || c == 0; }

static uint32_t number(const char** text) {
  uint32_t value = 0;
  while (**text == ' ') ++*text;
  while (**text >= '0' && **text <= '9') value = value * 10 + (uint32_t)(*(*text)++ - '0');
  return value;
}

static uint32_t digit(char c) { return (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10); }

/* The word that follows, as a string of its own with room behind it. */
static char* word(const char** text, uint32_t more) {
  uint32_t length = 0;
  uint32_t i;
  char* made;
  while (**text == ' ') ++*text;
  while (!is_end((*text)[length])) ++length;
  made = make(length + more + 1);
  for (i = 0; i < length; ++i) made[i] = (*text)[i];
  made[length] = 0;
  *text += length;
  return made;
}

static char* decoded(const char** text) {
  char* digits = word(text, 0);
  uint32_t i;
  for (i = 0; digits[i] != 0; i += 2) digits[i / 2] = (char)(digit(digits[i]) << 4 | digit(digits[i + 1]));
  digits[i / 2] = 0;
  return digits;
}

static void add_argument(char* text) { plumb_env_argv[argument_count++] = text; }

static void name_number(char* name, uint32_t value) {
  name[0] = (char)('0' + value / 10 % 10);
  name[1] = (char)('0' + value % 10);
}

static char* symbolic_text(uint32_t length, const char* name, char* memory) {
  if (length != 0) plumb_symbolic(memory, length, name);
  memory[length] = 0;
  return memory;
}

static void add_arguments(uint32_t minimum, uint32_t maximum, uint32_t length) {
  char name[] = "arg00";
  uint8_t more = 0;
  uint32_t count = minimum;
  uint32_t i;
  if (minimum < maximum) {
    plumb_symbolic(&more, sizeof more, "n_args");
    /* Halving: few decisions, and every number is one decision away from some run. */
    for (i = maximum; count < i;) {
      uint32_t middle = count + (i - count) / 2;
      if (more > middle - minimum) {
        count = middle + 1;
      } else {
        i = middle;
      }
    }
  }
  for (i = 0; i < maximum; ++i) {
    char* text = make(length + 1);
    name_number(name + 3, argument_number++);
    symbolic_text(length, name, text);
    if (i < count) add_argument(text);
  }
}

static int is_same_variable(const char* entry, const char* name) {
  while (*name != 0 && *entry == *name) {
    ++entry;
    ++name;
  }
  return *name == 0 && *entry == '=';
}

static void add_variable(const char** text) {
  char input[64] = "env-";
  char* entry;
  char* name = word(text, 0);
  uint32_t length = number(text);
  uint32_t size = 0;
  uint32_t count = 0;
  uint32_t kept = 1;
  char** made;
  char** old = environ;
  while (name[size] != 0) ++size;
  entry = make(size + length + 2);
  for (count = 0; count < size; ++count) {
    entry[count] = name[count];
    if (count + 5 < sizeof input) input[count + 4] = name[count];
  }
  entry[size] = '=';
  symbolic_text(length, input, entry + size + 1);
  for (count = 0; old != 0 && old[count] != 0; ++count) {
  }
  made = make((count + 2) * sizeof *made);
  made[0] = entry;
  for (; old != 0 && *old != 0; ++old)
    if (!is_same_variable(*old, name)) made[kept++] = *old;
  made[kept] = 0;
  environ = made;
}

static void add_file(const char* name, const char* prefix, uint32_t capacity) {
  char input[16];
  uint32_t length = 0;
  uint32_t i;
  struct plumb_env_file* file = &plumb_env_files[plumb_env_file_count];
  for (; prefix[length] != 0; ++length) input[length] = prefix[length];
  for (i = 0; i < sizeof "-missing"; ++i) input[length + i] = "-missing"[i];
  file->name = name;
  file->capacity = capacity;
  file->at_most = capacity;
  file->content = make(capacity + 1);
  if (capacity != 0) {
    plumb_symbolic(&file->missing, sizeof file->missing, input);
    for (i = 0; i < sizeof "-data"; ++i) input[length + i] = "-data"[i];
    plumb_symbolic(file->content, capacity, input);
  }
  __plumb_host_make_file(plumb_env_file_count, name, file->content, capacity, file->missing);
  ++plumb_env_file_count;
}

static void add_files(uint32_t count, uint32_t size) {
  static const char names[] = "A\0B\0C\0D\0E\0F\0G\0H\0I\0J\0K\0L\0M\0N\0O\0P\0Q\0R\0S\0T\0U\0V\0W\0X\0Y\0Z";
  uint32_t i;
  for (i = 0; i < count && i < PLUMB_ENV_FILES - 1; ++i) add_file(names + 2 * i, names + 2 * i, size);
}

static void add_failing(uint32_t count) {
  char name[] = "fail-io-00";
  uint32_t i;
  plumb_env_failing = make(count * sizeof *plumb_env_failing);
  plumb_env_failing_count = count;
  for (i = 0; i < count; ++i) {
    uint32_t which;
    name_number(name + 8, i);
    plumb_symbolic(&which, sizeof which, name);
    plumb_env_failing[i] = which;
  }
}

static void add_part(const char** text) {
  char kind = **text;
  char second = (*text)[1];
  while (!is_end(**text)) ++*text;
  if (kind == 't') {
    add_argument(decoded(text));
  } else if (kind == 'a') {
    uint32_t minimum = number(text);
    uint32_t maximum = number(text);
    add_arguments(minimum, maximum, number(text));
  } else if (kind == 'v') {
    add_variable(text);
  } else if (kind == 'f' && second == 'i') {
    uint32_t count = number(text);
    add_files(count, number(text));
  } else if (kind == 's') {
    add_file(0, "stdin", number(text));
  } else if (kind == 'f') {
    add_failing(number(text));
  }
  while (**text != 0 && *(*text)++ != '\n') {
  }
}

/* Gives the number of arguments; they are in plumb_env_argv. `room` is at least how many there can be. */
int plumb_env_begin(const char* text, uint32_t room) {
  plumb_env_argv = make((room + 1) * sizeof *plumb_env_argv);
  while (*text != 0) add_part(&text);
  plumb_env_argv[argument_count] = 0;
  return (int)argument_count;
}
