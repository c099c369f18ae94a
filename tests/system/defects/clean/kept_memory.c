// purpose: memory that globals, static variables and what they point to still hold at the end is no leak
#define _GNU_SOURCE
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node* next;
  char* name;
};

static struct node* registry;
static char* middle;

static int* cache(void) {
  static int* values;
  if (values == NULL) values = calloc(16, sizeof *values);
  return values;
}

int main(void) {
  int count = plumb_symbolic_uchar("count") % 4;
  for (int i = 0; i < count; ++i) {
    struct node* node = malloc(sizeof *node);
    if (node == NULL) return 1;
    node->name = strdup("name");
    node->next = registry;
    registry = node;
  }
  if (count == 2) {
    middle = malloc(100);
    if (middle != NULL) middle += 40;
  }
  int* values = cache();
  if (values != NULL) values[count] = 1;
  if (count == 3) exit(3);
  return 0;
}
