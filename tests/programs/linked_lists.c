// purpose: lists on the heap: push, reverse, insertion sort, merge sort, pointers to pointers, removal
#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static void push(struct node **list, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->value = value;
  n->next = *list;
  *list = n;
}

static struct node *reverse(struct node *list) {
  struct node *result = NULL;
  while (list) {
    struct node *next = list->next;
    list->next = result;
    result = list;
    list = next;
  }
  return result;
}

static struct node *merge(struct node *a, struct node *b) {
  struct node head = {0, NULL}, *tail = &head;
  while (a && b) {
    struct node **less = a->value <= b->value ? &a : &b;
    tail->next = *less;
    tail = *less;
    *less = (*less)->next;
  }
  tail->next = a ? a : b;
  return head.next;
}

static struct node *sort(struct node *list) {
  if (!list || !list->next) return list;
  struct node *slow = list, *fast = list->next;
  while (fast && fast->next) {
    slow = slow->next;
    fast = fast->next->next;
  }
  struct node *half = slow->next;
  slow->next = NULL;
  return merge(sort(list), sort(half));
}

static int remove_if(struct node **at, int divisor) {
  int removed = 0;
  while (*at) {
    struct node *n = *at;
    if (n->value % divisor == 0) {
      *at = n->next;
      free(n);
      ++removed;
    } else {
      at = &n->next;
    }
  }
  return removed;
}

static void show(const struct node *list) {
  for (; list; list = list->next) printf("%d ", list->value);
  printf("\n");
}

int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 20; ++i) push(&list, i * 37 % 23);
  show(list);
  list = reverse(list);
  show(list);
  list = sort(list);
  show(list);
  int removed = remove_if(&list, 3);
  show(list);
  removed += remove_if(&list, 1);
  return removed + (list == NULL);
}
