// purpose: pointers that are taken apart: a list linked by exclusive ors, pointers stored byte by byte, tagged and hashed pointers
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int value;
  uintptr_t link;
};

static void scatter(unsigned char *out, const void *pointer) {
  uintptr_t bits = (uintptr_t)pointer;
  for (unsigned i = 0; i < sizeof bits; ++i) out[sizeof bits - 1 - i] = (unsigned char)(bits >> (8 * i));
}

static void *gather(const unsigned char *in) {
  uintptr_t bits = 0;
  for (unsigned i = 0; i < sizeof bits; ++i) bits = bits << 8 | in[i];
  return (void *)bits;
}

int main(void) {
  struct node *nodes[6];
  for (int i = 0; i < 6; ++i) {
    nodes[i] = malloc(sizeof **nodes);
    if (!nodes[i]) return 1;
    nodes[i]->value = i * i;
  }
  for (int i = 0; i < 6; ++i) {
    nodes[i]->link = (i > 0 ? (uintptr_t)nodes[i - 1] : 0) ^ (i < 5 ? (uintptr_t)nodes[i + 1] : 0);
  }
  uintptr_t previous = 0, at = (uintptr_t)nodes[5];
  while (at) {
    struct node *n = (struct node *)at;
    printf("%d ", n->value);
    uintptr_t next = n->link ^ previous;
    previous = at;
    at = next;
  }
  unsigned char bytes[sizeof(void *)];
  scatter(bytes, &nodes[2]->value);
  *(int *)gather(bytes) = 77;
  char raw[sizeof(struct node *) + 1];
  for (size_t i = 0; i < sizeof(struct node *); ++i) raw[i + 1] = ((char *)&nodes[3])[i];
  struct node *copy;
  memcpy(&copy, raw + 1, sizeof copy);
  printf("\n%d %d %d\n", nodes[2]->value, copy->value, copy == nodes[3]);
  struct { void *low; int middle; void *high; } a = {nodes[0], 5, nodes[1]}, b;
  memset(&a.middle, 0, (size_t)((char *)&a.high - (char *)&a.middle));
  a.middle = 5;
  memcpy(&b, &a, sizeof a);
  printf("%d %d\n", memcmp(&a, &b, sizeof a), ((struct node *)b.high)->value);
  intptr_t distance = (char *)nodes - (char *)&nodes[4];
  for (int i = 0; i < 6; ++i) free(nodes[i]);
  return (int)-distance;
}
