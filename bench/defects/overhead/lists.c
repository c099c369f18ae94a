// Lists: made, sorted by merging, turned around, walked and freed, again and again.
#include <stdio.h>
#include <stdlib.h>

#include "overhead.h"

struct node {
  struct node* next;
  long key;
  long weight;
};

static struct node* make(long count) {
  struct node* head = NULL;
  unsigned state = 99;
  for (long i = 0; i < count; ++i) {
    struct node* node = malloc(sizeof *node);
    state = state * 1664525u + 1013904223u;
    node->key = (long)(state >> 8);
    node->weight = i;
    node->next = head;
    head = node;
  }
  return head;
}

static struct node* merge(struct node* a, struct node* b) {
  struct node head, *last = &head;
  while (a != NULL && b != NULL) {
    if (a->key <= b->key) {
      last->next = a;
      a = a->next;
    } else {
      last->next = b;
      b = b->next;
    }
    last = last->next;
  }
  last->next = a != NULL ? a : b;
  return head.next;
}

static struct node* sort(struct node* list) {
  if (list == NULL || list->next == NULL) return list;
  struct node *slow = list, *fast = list->next;
  while (fast != NULL && fast->next != NULL) {
    slow = slow->next;
    fast = fast->next->next;
  }
  struct node* rest = slow->next;
  slow->next = NULL;
  return merge(sort(list), sort(rest));
}

static struct node* turn_around(struct node* list) {
  struct node* head = NULL;
  while (list != NULL) {
    struct node* next = list->next;
    list->next = head;
    head = list;
    list = next;
  }
  return head;
}

int main(int argc, char** argv) {
  long count = argc > 1 ? atol(argv[1]) : 32000;
  unsigned long sum = 0;
  for (int round = 0; round < 12; ++round) {
    struct node* list = sort(make(count));
    for (int pass = 0; pass < 20; ++pass) {
      long place = 0;
      list = turn_around(list);
      for (struct node* node = list; node != NULL; node = node->next)
        sum += (unsigned long)(node->key ^ node->weight) * (unsigned long)++place;
    }
    while (list != NULL) {
      struct node* next = list->next;
      free(list);
      list = next;
    }
  }
  printf("%lu\n", sum);
  tell_seconds();
  return 0;
}
