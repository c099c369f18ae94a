#include "parts.h"

static int hidden(int x) { return x * 2; }
const int shared_table[] = {1, 2, 3, 5};
static void push_half(struct stack *s, int value) { push(s, value / 2); }
void (*const operations[])(struct stack *, int) = {push, push_half};

void push(struct stack *s, int value) {
  if (s->depth < DEPTH) s->items[s->depth++] = hidden(value);
}

int pop(struct stack *s) { return s->depth ? s->items[--s->depth] / 2 : -1; }
