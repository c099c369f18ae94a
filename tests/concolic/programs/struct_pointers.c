// purpose: fields of several sizes reached through pointers, in an array and on the heap
// expect: all
#include <stdlib.h>

#include "probe.h"

struct node {
  unsigned char tag;
  short weight;
  int value;
  struct node* next;
};

static int total(const struct node* n) {
  int sum = 0;
  while (B(n != NULL)) {
    if (B(n->tag == 0x7f)) sum += n->weight;
    else sum += n->value;
    n = n->next;
  }
  return sum;
}

int main(void) {
  struct node* nodes = calloc(3, sizeof *nodes);
  nodes[0].tag = plumb_symbolic_uchar("tag");
  nodes[1].weight = plumb_symbolic_short("weight");
  nodes[1].tag = (unsigned char)(nodes[0].tag + 1);
  nodes[2].value = plumb_symbolic_int("value");
  nodes[0].next = &nodes[1];
  nodes[1].next = &nodes[2];
  int sum = total(nodes);
  free(nodes);
  if (B(sum == -300)) return 1;
  if (B(sum > 1000000)) return 2;
  return 0;
}
