// purpose: pointers just past the end are made, compared and stepped back from; nothing is accessed there
#include <plumb/plumb.h>
#include <stdlib.h>

static int table[4] = {1, 2, 3, 4};

static int sum(const int* from, const int* to) {
  int total = 0;
  while (to != from) total += *--to;
  return total;
}

int main(void) {
  unsigned count = plumb_symbolic_uint("count");
  if (count > 4) return 1;
  int* block = malloc(4 * sizeof *block);
  if (block == NULL) return 2;
  for (int* at = block; at < block + 4; ++at) *at = 1;
  int total = sum(table, &table[count]) + sum(block, block + count);
  const int* end = &table[4];
  for (const int* at = table; at != end; ++at) total += *at == 4;
  free(block);
  return total > 14;
}
