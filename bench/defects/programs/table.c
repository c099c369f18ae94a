// purpose: a hash table with chains: an entry that is replaced is forgotten, one that is removed is still read
// seeded: B=1 D=1
#include <plumb/plumb.h>
#include <stdlib.h>

enum { BUCKETS = 4 };

struct entry {
  unsigned key;
  int* value;
  struct entry* next;
};

struct table {
  struct entry* buckets[BUCKETS];
};

static struct entry* find(struct table* table, unsigned key) {
  for (struct entry* e = table->buckets[key % BUCKETS]; e != NULL; e = e->next)
    if (e->key == key) return e;
  return NULL;
}

static void put(struct table* table, unsigned key, int value) {
  struct entry* entry = find(table, key);
  if (entry == NULL) {
    entry = calloc(1, sizeof *entry);
    if (entry == NULL) exit(1);
    entry->key = key;
    entry->next = table->buckets[key % BUCKETS];
    table->buckets[key % BUCKETS] = entry;
  }
  entry->value = malloc(sizeof *entry->value);
  if (entry->value != NULL) *entry->value = value;
}

static int take(struct table* table, unsigned key) {
  for (struct entry** link = &table->buckets[key % BUCKETS]; *link != NULL; link = &(*link)->next) {
    struct entry* entry = *link;
    if (entry->key != key) continue;
    *link = entry->next;
    free(entry->value);
    free(entry);
    return *entry->value;
  }
  return -1;
}

int main(void) {
  struct table table = {{NULL}};
  unsigned first = plumb_symbolic_uint("first"), second = plumb_symbolic_uint("second");
  unsigned removed = plumb_symbolic_uint("removed");
  put(&table, first, 1);
  if (second > 10) put(&table, second, 2);
  int found = removed > 100 ? take(&table, removed) : 0;
  for (int i = 0; i < BUCKETS; ++i) {
    while (table.buckets[i] != NULL) {
      struct entry* entry = table.buckets[i];
      table.buckets[i] = entry->next;
      free(entry->value);
      free(entry);
    }
  }
  return found;
}
