/* Environment variables: the values of symbolic ones lie in memory with shadows, where `environ` leads to. */
#include "environment.h"

extern char** environ;

char* __plumb_env_getenv(const char* name) {
  char** entry;
  for (entry = environ; entry != 0 && *entry != 0; ++entry) {
    const char* at = *entry;
    const char* wanted = name;
    while (*wanted != 0 && *at == *wanted) {
      ++at;
      ++wanted;
    }
    if (*wanted == 0 && *at == '=') return (char*)(uintptr_t)(at + 1);
  }
  return 0;
}

char* __plumb_env_secure_getenv(const char* name) { return __plumb_env_getenv(name); }
char* __plumb_env___secure_getenv(const char* name) { return __plumb_env_getenv(name); }
