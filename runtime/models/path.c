// <libgen.h> and GNU's basename: parts of a path.

#include "text.h"

// The last name, also an empty one; the path stays as it is.
char* basename(const char* path) {
  const char* name = path;
  for (; *path != 0; ++path) {
    if (*path == '/') {
      plumb_apart();
      name = path + 1;
    }
  }
  return (char*)name;
}

// Takes slashes off the end, but for the first byte of the path.
static size_t without_slashes(const char* path, size_t size) {
  while (size > 1 && path[size - 1] == '/') --size;
  return size;
}

char* __xpg_basename(char* path) {
  if (path == NULL || *path == 0) return (char*)".";
  size_t size = without_slashes(path, strlen(path));
  if (size == 1 && path[0] == '/') return path + strlen(path) - 1;
  path[size] = 0;
  return basename(path);
}

char* dirname(char* path) {
  if (path == NULL || *path == 0) return (char*)".";
  size_t size = without_slashes(path, strlen(path));
  while (size > 0 && path[size - 1] != '/') --size;
  if (size == 0) return (char*)".";
  size = without_slashes(path, size);
  // Two slashes at the start are a root of their own.
  if (size == 1 && path[0] == '/' && path[1] == '/' && path[2] != '/') size = 2;
  path[size] = 0;
  return path;
}
