// purpose: a list is changed by commands; once frozen it loses new nodes, and its last node is released twice
// seeded: B=1 C=1 D=1
#include <plumb/plumb.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* next;
};

struct list {
  struct node* first;
  struct node* last;
  int is_frozen;
};

static void append(struct list* list, int value) {
  struct node* node = malloc(sizeof *node);
  if (node == NULL) exit(1);
  *node = (struct node){value, NULL};
  if (list->is_frozen) return;
  if (list->last != NULL)
    list->last->next = node;
  else
    list->first = node;
  list->last = node;
}

static void remove_first(struct list* list) {
  struct node* node = list->first;
  if (node == NULL) return;
  list->first = node->next;
  if (list->first == NULL) list->last = NULL;
  free(node);
}

static void clear(struct list* list) {
  if (list->is_frozen) free(list->last);
  while (list->first != NULL) {
    struct node* node = list->first;
    list->first = node->next;
    free(node);
  }
  list->last = NULL;
}

int main(void) {
  struct list list = {NULL, NULL, 0};
  unsigned char commands[5];
  plumb_symbolic(commands, sizeof commands, "commands");
  for (int i = 0; i < 5; ++i) {
    if (commands[i] == 'a') {
      append(&list, i);
    } else if (commands[i] == 'r') {
      remove_first(&list);
    } else if (commands[i] == 'f') {
      list.is_frozen = 1;
    } else {
      break;
    }
  }
  clear(&list);
  return 0;
}
