// purpose: texts are joined in a local buffer until it is full
// defect: array-pointer-out-of-bounds line 13
#include <string.h>

int main(void) {
  char path[16] = "/usr";
#ifdef FIXED
  const char *parts[] = {"/share", "/doc"};
#else
  const char *parts[] = {"/share", "/documents"};
#endif
  for (int i = 0; i < 2; ++i) {
    strcat(path, parts[i]);
  }
  return path[0] != '/';
}
