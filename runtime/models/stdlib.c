// <stdlib.h>: the environment. What the program did not set there itself, the world decides; in a single run it starts
// empty.

#include "host.h"
#include "text.h"

// The environment: "NAME=value" strings, ended by a null pointer.
static char* no_variables[1];
char** environ = no_variables;

// Where `name` stands, or the terminating null.
static char** find_variable(const char* name, size_t length) {
  char** at = environ;
  while (*at != NULL && !(strncmp(*at, name, length) == 0 && (*at)[length] == '=')) ++at;
  return at;
}

char* getenv(const char* name) {
  size_t length = strlen(name);
  char* variable = *find_variable(name, length);
  if (variable != NULL) return variable + length + 1;
  plumb_host_gap("what the environment has");
  enum { MostValue = 15 };
  static char value[MostValue + 1];
  if (plumb_host_any(0) == 0) return NULL;
  plumb_host_fill(value, MostValue);
  return value;
}

char* secure_getenv(const char* name) { return getenv(name); }

static int set_variable(char* variable, size_t name_length) {
  char** at = find_variable(variable, name_length);
  if (*at == NULL) {
    size_t count = (size_t)(at - environ);
    char** grown = malloc((count + 2) * sizeof *grown);
    if (grown == NULL) return -1;
    memcpy(grown, environ, count * sizeof *grown);
    grown[count + 1] = NULL;
    if (environ != no_variables) free(environ);
    environ = grown;
    at = grown + count;
  }
  *at = variable;
  return 0;
}

int setenv(const char* name, const char* value, int overwrite) {
  size_t name_length = name != NULL ? strlen(name) : 0;
  if (name_length == 0 || strchr(name, '=') != NULL) {
    errno = EINVAL;
    return -1;
  }
  if (!overwrite && getenv(name) != NULL) return 0;
  size_t value_length = strlen(value);
  char* variable = malloc(name_length + value_length + 2);
  if (variable == NULL) return -1;
  memcpy(variable, name, name_length);
  variable[name_length] = '=';
  memcpy(variable + name_length + 1, value, value_length + 1);
  return set_variable(variable, name_length);
}

int unsetenv(const char* name) {
  char** at = find_variable(name, strlen(name));
  for (; *at != NULL; ++at) *at = at[1];
  return 0;
}

int putenv(char* variable) {
  const char* equals = strchr(variable, '=');
  return equals != NULL ? set_variable(variable, (size_t)(equals - variable)) : unsetenv(variable);
}

int clearenv(void) {
  environ = no_variables;
  return 0;
}

int system(const char* command) {
  if (command == NULL) return (int)plumb_host_any(0);
  (void)strlen(command);
  plumb_host_gap("what a command does");
  return (int)plumb_host_any(-1);
}
