// purpose: global objects that hold addresses of each other, of their own members, with offsets, before and after
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct node {
  int value;
  struct node *next;
  const char *name;
  int *inside;
};

extern struct node second;
static int numbers[5] = {1, 2, 3, 4, 5};
struct node first = {1, &second, &"first"[2], &numbers[3]};
struct node second = {2, &first, "second", &second.value};
static int *const middle = numbers + 2;
static int *end = &numbers[5];
static const char text[] = "a text with\0a zero";
static const char *tail = text + sizeof text - 5;
static const ptrdiff_t distance = offsetof(struct node, name);
static int (*const print)(const char *) = puts;
static void *self = &self;
static struct { char c; int *p[3]; } table = {'c', {numbers, &numbers[4], NULL}};
static int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}}, (*row)[3] = &matrix[1];
static unsigned long address = (unsigned long)&numbers[1];
static double reals[3] = {0.5, [2] = 1e300};
static int zeros[1000];

int main(void) {
  printf("%s %d %d %d\n", first.name, first.next->value, *first.inside, *first.next->inside);
  printf("%d\n", first.next->next == &first);
  printf("%d %d %ld\n", middle[-1], end[-1], (long)(end - middle));
  printf("%s %zu %d\n", tail, sizeof text, (int)distance);
  print("printed");
  printf("%d %d %d %d\n", self == (void *)&self, *table.p[1], table.p[2] == NULL, (*row)[2]);
  printf("%d %g %g\n", *(int *)address, reals[1], reals[2]);
  *first.inside = 40;
  end[-1] += numbers[3];
  (*row)[0] += zeros[999];
  second.next = &second;
  int hops = 0;
  for (struct node *n = &first; hops < 5; n = n->next) hops += n->value;
  printf("%d\n", hops);
  return numbers[4];
}
