// purpose: frames of a deep recursion lie one over the other, each with variables that others point to
#include <plumb/plumb.h>
#include <stddef.h>

struct link {
  int depth;
  const struct link* outer;
};

static int descend(const struct link* outer, int depth, int most) {
  struct link own = {depth, outer};
  int sum = 0;
  if (depth < most) return descend(&own, depth + 1, most) + own.depth;
  for (const struct link* at = &own; at != NULL; at = at->outer) sum += at->depth;
  return sum;
}

int main(void) {
  int most = plumb_symbolic_uchar("most") % 4;
  if (descend(NULL, 0, most == 3 ? 2000 : most) < 0) return 1;
  return 0;
}
