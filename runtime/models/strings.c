// <strings.h>.

#include <stddef.h>

#include "text.h"

int strncasecmp(const char* a, const char* b, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    int left = tolower((unsigned char)a[i]);
    int right = tolower((unsigned char)b[i]);
    if (left != right) return left - right;
    if (left == 0) return 0;
  }
  return 0;
}

int strcasecmp(const char* a, const char* b) { return strncasecmp(a, b, (size_t)-1); }

int bcmp(const void* a, const void* b, size_t size) { return memcmp(a, b, size); }
void bcopy(const void* from, void* to, size_t size) { memmove(to, from, size); }
void bzero(void* to, size_t size) { memset(to, 0, size); }

char* strrchr(const char* text, int byte);
char* index(const char* text, int byte) { return strchr(text, byte); }
char* rindex(const char* text, int byte) { return strrchr(text, byte); }

int ffsll(long long value) {
  if (value == 0) return 0;
  int position = 1;
  for (unsigned long long rest = (unsigned long long)value; (rest & 1) == 0; rest >>= 1) ++position;
  return position;
}

int ffsl(long value) { return ffsll(value); }
int ffs(int value) { return ffsll(value); }
