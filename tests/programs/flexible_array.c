// purpose: flexible array members, allocated, grown, copied, and in a static initialiser
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
  size_t size;
  unsigned char kind;
  short data[];
};

static struct buffer fixed = {3, 'f', {10, 20, 30}};

static struct buffer *make(size_t size) {
  struct buffer *b = malloc(sizeof *b + size * sizeof b->data[0]);
  if (!b) exit(1);
  b->size = size;
  b->kind = 'h';
  for (size_t i = 0; i < size; ++i) b->data[i] = (short)(i * i);
  return b;
}

static struct buffer *append(struct buffer *b, short value) {
  b = realloc(b, sizeof *b + (b->size + 1) * sizeof b->data[0]);
  if (!b) exit(1);
  b->data[b->size++] = value;
  return b;
}

static int sum(const struct buffer *b) {
  int total = b->kind;
  for (size_t i = 0; i < b->size; ++i) total += b->data[i];
  return total;
}

/* An array of the last field may be the head of a longer one, also in memory that is declared as something else. */
struct old_style {
  int size;
  int data[2];
};
static _Alignas(16) char pool[256];
static long words[64];

static int in_declared_memory(void) {
  struct old_style *in_pool = (struct old_style *)&pool[16];
  struct old_style *in_words = (struct old_style *)&words[2];
  in_pool->size = in_words->size = 20;
  for (int i = 0; i < in_pool->size; ++i) in_pool->data[i] = in_words->data[i] = i;
  return in_pool->data[19] + in_words->data[18];
}

int main(void) {
  printf("%d\n", in_declared_memory());
  struct buffer *b = make(5);
  printf("%zu %d\n", sizeof(struct buffer), sum(b));
  for (short i = 0; i < 20; ++i) b = append(b, (short)(-i));
  printf("%zu %d %d\n", b->size, sum(b), b->data[24]);
  fixed.data[1] += 5;
  printf("%d\n", sum(&fixed));
  struct buffer *empty = make(0);
  printf("%d\n", sum(empty));
  free(empty);
  free(b);
  return fixed.data[1];
}
