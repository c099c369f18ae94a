// purpose: a search tree that loses the right side of a node with two children and follows a missing left side
// seeded: B=1 D=1
#include <plumb/plumb.h>
#include <stdlib.h>

struct node {
  int key;
  struct node *left, *right;
};

static struct node* insert(struct node* node, int key) {
  if (node == NULL) {
    node = calloc(1, sizeof *node);
    if (node == NULL) exit(1);
    node->key = key;
  } else if (key < node->key) {
    node->left = insert(node->left, key);
  } else if (key > node->key) {
    node->right = insert(node->right, key);
  }
  return node;
}

static struct node* drop_root(struct node* node) {
  struct node* rest = node->left != NULL ? node->left : node->right;
  free(node);
  return rest;
}

static int depth_of_least(const struct node* node) {
  int depth = 0;
  if (node->key == 42) node = node->left;
  while (node->left != NULL) {
    node = node->left;
    depth++;
  }
  return depth;
}

static void release(struct node* node) {
  if (node == NULL) return;
  release(node->left);
  release(node->right);
  free(node);
}

int main(void) {
  struct node* root = NULL;
  signed char keys[3];
  plumb_symbolic(keys, sizeof keys, "keys");
  for (int i = 0; i < 3; ++i) root = insert(root, keys[i]);
  int depth = depth_of_least(root);
  if (keys[0] > 100) root = drop_root(root);
  release(root);
  return depth;
}
