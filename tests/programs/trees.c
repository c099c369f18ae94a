// purpose: a binary search tree with deletion, traversals without recursion, and heights
#include <stdio.h>
#include <stdlib.h>

struct tree {
  int key;
  struct tree *child[2];
};

static struct tree **find(struct tree **at, int key) {
  while (*at && (*at)->key != key) at = &(*at)->child[key > (*at)->key];
  return at;
}

static int insert(struct tree **root, int key) {
  struct tree **at = find(root, key);
  if (*at) return 0;
  *at = calloc(1, sizeof **at);
  if (!*at) exit(1);
  (*at)->key = key;
  return 1;
}

static int erase(struct tree **root, int key) {
  struct tree **at = find(root, key), *dead = *at;
  if (!dead) return 0;
  if (dead->child[0] && dead->child[1]) {
    struct tree **next = &dead->child[1];
    while ((*next)->child[0]) next = &(*next)->child[0];
    dead->key = (*next)->key;
    dead = *next;
    *next = dead->child[1];
  } else {
    *at = dead->child[dead->child[0] == NULL];
  }
  free(dead);
  return 1;
}

static void in_order(struct tree *t) {
  struct tree *stack[32];
  int depth = 0;
  while (t || depth) {
    for (; t; t = t->child[0]) stack[depth++] = t;
    t = stack[--depth];
    printf("%d ", t->key);
    t = t->child[1];
  }
  printf("\n");
}

static int height(const struct tree *t) {
  if (!t) return 0;
  int left = height(t->child[0]), right = height(t->child[1]);
  return 1 + (left > right ? left : right);
}

static void destroy(struct tree *t) {
  if (!t) return;
  destroy(t->child[0]);
  destroy(t->child[1]);
  free(t);
}

int main(void) {
  struct tree *root = NULL;
  int inserted = 0, erased = 0;
  for (int i = 0; i < 40; ++i) inserted += insert(&root, i * 17 % 31);
  in_order(root);
  printf("%d %d\n", inserted, height(root));
  for (int i = 0; i < 40; i += 3) erased += erase(&root, i);
  in_order(root);
  printf("%d %d\n", erased, height(root));
  destroy(root);
  return erased;
}
