// purpose: from a member back to its struct, and lists that run through members
#include <plumb/plumb.h>
#include <stddef.h>
#include <stdlib.h>

struct link {
  struct link* next;
};

struct item {
  int key;
  struct link link;
  char name[6];
};

#define ITEM_OF(at) ((struct item*)((char*)(at) - offsetof(struct item, link)))

int main(void) {
  struct link head = {NULL};
  int key = plumb_symbolic_int("key"), found = 0;
  for (int i = 0; i < 3; ++i) {
    struct item* item = calloc(1, sizeof *item);
    if (item == NULL) exit(1);
    item->key = i * 10;
    item->link.next = head.next;
    head.next = &item->link;
  }
  for (struct link* at = head.next; at != NULL; at = at->next)
    if (ITEM_OF(at)->key == key) found = ITEM_OF(at)->name[5] == '\0';
  while (head.next != NULL) {
    struct item* item = ITEM_OF(head.next);
    head.next = item->link.next;
    free(item);
  }
  return found;
}
