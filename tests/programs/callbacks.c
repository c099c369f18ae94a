// purpose: callbacks with a context pointer, containers of unions, and iterators through void pointers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void visitor(void *context, const void *item);
struct vector { void *data; size_t item, size, capacity; };

static void append(struct vector *v, const void *item) {
  if (v->size == v->capacity) {
    v->capacity = v->capacity ? 2 * v->capacity : 2;
    v->data = realloc(v->data, v->capacity * v->item);
    if (!v->data) exit(1);
  }
  memcpy((char *)v->data + v->size++ * v->item, item, v->item);
}

static void each(const struct vector *v, visitor *visit, void *context) {
  for (size_t i = 0; i < v->size; ++i) visit(context, (const char *)v->data + i * v->item);
}

struct statistics { int count; double sum, least; };
static void measure(void *context, const void *item) {
  struct statistics *s = context;
  double value = *(const double *)item;
  if (!s->count++ || value < s->least) s->least = value;
  s->sum += value;
}

struct token { char kind; union { long number; char word[8]; } as; };
static void describe(void *context, const void *item) {
  const struct token *t = item;
  char **at = context;
  *at += t->kind == 'n' ? sprintf(*at, "<%ld>", t->as.number) : sprintf(*at, "'%s'", t->as.word);
}

int main(void) {
  struct vector reals = {.item = sizeof(double)}, tokens = {.item = sizeof(struct token)};
  for (int i = 0; i < 9; ++i) append(&reals, &(double){(i - 4) * 1.25});
  struct statistics s = {0};
  each(&reals, measure, &s);
  printf("%d %g %g\n", s.count, s.sum, s.least);
  for (int i = 0; i < 5; ++i) {
    struct token t = {i & 1 ? 'w' : 'n', {.number = i * 1000L}};
    if (i & 1) snprintf(t.as.word, sizeof t.as.word, "w%d", i);
    append(&tokens, &t);
  }
  char text[64], *at = text;
  *at = 0;
  each(&tokens, describe, &at);
  printf("%s\n", text);
  free(reals.data);
  free(tokens.data);
  return (int)(at - text);
}
