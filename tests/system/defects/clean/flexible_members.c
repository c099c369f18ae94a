// purpose: arrays at the end of structs are as long as their allocation: written [], [1] and [0]
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>

struct modern {
  size_t size;
  int items[];
};

struct old {
  size_t size;
  char text[1];
};

struct older {
  short size;
  short items[0];
};

int main(void) {
  size_t size = 1 + plumb_symbolic_uchar("size") % 6;
  struct modern* modern = malloc(sizeof *modern + size * sizeof(int));
  struct old* old = malloc(sizeof *old + size);
  struct older* older = malloc(sizeof *older + size * sizeof(short));
  if (modern == NULL || old == NULL || older == NULL) return 1;
  for (size_t i = 0; i < size; ++i) {
    modern->items[i] = (int)i;
    old->text[i] = 'a';
    older->items[i] = (short)i;
  }
  old->text[size] = '\0';
  int code = strlen(old->text) == size && modern->items[size - 1] == older->items[size - 1];
  free(modern);
  free(old);
  free(older);
  return code ? 0 : 2;
}
