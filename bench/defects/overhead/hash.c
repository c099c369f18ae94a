// Counts words in a hash table with chains, which grows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "overhead.h"

struct entry {
  struct entry* next;
  unsigned hash;
  unsigned count;
  char key[16];
};

struct table {
  struct entry** buckets;
  size_t size;
  size_t used;
};

static unsigned hash_of(const char* key) {
  unsigned hash = 2166136261u;
  for (; *key != 0; ++key) hash = (hash ^ (unsigned char)*key) * 16777619u;
  return hash;
}

static void grow(struct table* table) {
  size_t size = table->size * 2;
  struct entry** buckets = calloc(size, sizeof *buckets);
  for (size_t i = 0; i < table->size; ++i) {
    struct entry* entry = table->buckets[i];
    while (entry != NULL) {
      struct entry* next = entry->next;
      entry->next = buckets[entry->hash & (size - 1)];
      buckets[entry->hash & (size - 1)] = entry;
      entry = next;
    }
  }
  free(table->buckets);
  table->buckets = buckets;
  table->size = size;
}

static struct entry* find(struct table* table, const char* key) {
  unsigned hash = hash_of(key);
  struct entry* entry = table->buckets[hash & (table->size - 1)];
  for (; entry != NULL; entry = entry->next)
    if (entry->hash == hash && strcmp(entry->key, key) == 0) return entry;
  if (table->used++ > table->size) grow(table);
  entry = malloc(sizeof *entry);
  entry->hash = hash;
  entry->count = 0;
  strcpy(entry->key, key);
  entry->next = table->buckets[hash & (table->size - 1)];
  table->buckets[hash & (table->size - 1)] = entry;
  return entry;
}

static void name(char* text, unsigned number) {
  int length = 0;
  text[length++] = 'k';
  do text[length++] = (char)('a' + number % 26);
  while ((number /= 26) != 0);
  text[length] = 0;
}

int main(int argc, char** argv) {
  long count = argc > 1 ? atol(argv[1]) : 6000000;
  struct table table = {calloc(64, sizeof(struct entry*)), 64, 0};
  unsigned state = 1, sum = 0;
  char key[16];
  for (long i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    name(key, (state >> 12) % 50000);
    find(&table, key)->count += 1;
  }
  for (size_t i = 0; i < table.size; ++i) {
    struct entry* entry = table.buckets[i];
    while (entry != NULL) {
      struct entry* next = entry->next;
      sum += entry->hash * entry->count;
      free(entry);
      entry = next;
    }
  }
  free(table.buckets);
  printf("%u\n", sum);
  tell_seconds();
  return 0;
}
