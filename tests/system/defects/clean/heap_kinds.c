// purpose: memory of aligned allocations, and of objects that grow to other functions' sizes
#define _GNU_SOURCE
#include <malloc.h>
#include <plumb/plumb.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  int x = plumb_symbolic_uchar("x") % 4;
  void *a = NULL, *b, *c, *d;
  if (posix_memalign(&a, 256, 100)) return 1;
  b = aligned_alloc(4096, 8192);
  c = memalign(64, 33);
  d = valloc(10);
  if ((uintptr_t)a % 256 || (uintptr_t)b % 4096 || (uintptr_t)c % 64) return 2;
  memset(a, 1, 100);
  memset(b, 1, 8192);
  memset(c, 1, 33);
  memset(d, 1, 10);
  char *p = malloc(10);
  if (malloc_usable_size(p) < 10) return 3;
  memset(p, 0, malloc_usable_size(p));
  a = realloc(a, 300);
  memset(a, 2, 300);
  p = reallocarray(p, 10, 20);
  p[199] = 1;
  if (x == 3) {
    p = realloc(p, 0);
    if (p) free(p);
    p = NULL;
  }
  free(a);
  free(b);
  free(c);
  free(d);
  free(p);
  char *s = strdupa("abc");
  return s[2] != 'c';
}
