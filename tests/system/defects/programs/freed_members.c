// purpose: a cache remembers its last entry, which removing that entry does not forget
// defect: use-after-free line 31
// input: removed=9 asked=5
#include <plumb/plumb.h>
#include <stdlib.h>

struct entry {
  int key, hits;
};

struct cache {
  struct entry* entries[2];
  struct entry* last;
};

static void evict(struct cache* cache, int key) {
  if (cache->entries[key] == NULL) return;
#ifdef FIXED
  if (cache->last == cache->entries[key]) cache->last = NULL;
#endif
  free(cache->entries[key]);
  cache->entries[key] = NULL;
}

int main(void) {
  struct cache cache = {{NULL, NULL}, NULL};
  for (int i = 0; i < 2; ++i) cache.entries[i] = calloc(1, sizeof(struct entry));
  cache.last = cache.entries[1];
  int removed = plumb_symbolic_int("removed"), asked = plumb_symbolic_int("asked");
  if (removed == 9) evict(&cache, 1);
  if (asked == 5 && cache.last != NULL) cache.last->hits++;
  evict(&cache, 0);
  evict(&cache, 1);
  return 0;
}
