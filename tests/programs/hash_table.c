// purpose: a growing hash table with string keys, chains, and counts
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  struct entry *next;
  unsigned hash;
  int count;
  char key[];
};
static struct entry **buckets;
static unsigned capacity, size;

static unsigned hash_of(const char *text) {
  unsigned h = 2166136261u;
  while (*text) h = (h ^ (unsigned char)*text++) * 16777619u;
  return h;
}

static void grow(void) {
  unsigned larger = capacity ? capacity * 2 : 4;
  struct entry **fresh = calloc(larger, sizeof *fresh);
  if (!fresh) exit(1);
  for (unsigned i = 0; i < capacity; ++i) {
    while (buckets[i]) {
      struct entry *e = buckets[i];
      buckets[i] = e->next;
      e->next = fresh[e->hash & (larger - 1)];
      fresh[e->hash & (larger - 1)] = e;
    }
  }
  free(buckets);
  buckets = fresh;
  capacity = larger;
}

static int add(const char *key) {
  if (size >= capacity) grow();
  unsigned h = hash_of(key);
  for (struct entry *e = buckets[h & (capacity - 1)]; e; e = e->next) {
    if (e->hash == h && strcmp(e->key, key) == 0) return ++e->count;
  }
  struct entry *e = malloc(sizeof *e + strlen(key) + 1);
  if (!e) exit(1);
  *e = (struct entry){buckets[h & (capacity - 1)], h, 1};
  strcpy(e->key, key);
  buckets[h & (capacity - 1)] = e;
  ++size;
  return 1;
}

int main(void) {
  char key[16];
  int most = 0;
  for (int i = 0; i < 300; ++i) {
    snprintf(key, sizeof key, "key%d", i * i % 97);
    int count = add(key);
    if (count > most) most = count;
  }
  unsigned used = 0, total = 0, check = 0;
  for (unsigned i = 0; i < capacity; ++i) {
    used += buckets[i] != NULL;
    for (struct entry *e = buckets[i], *next; e; e = next) {
      next = e->next;
      total += (unsigned)e->count;
      check ^= e->hash * (unsigned)e->count;
      free(e);
    }
  }
  free(buckets);
  printf("%u %u %u %u %d %u\n", size, capacity, used, total, most, check);
  return (int)size;
}
