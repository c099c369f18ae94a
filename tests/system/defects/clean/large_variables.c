// purpose: variables of a megabyte on the stack and among the globals, used at both ends
#include <plumb/plumb.h>
#include <string.h>

static char global[3 << 20];

static int use(unsigned at) {
  char local[1 << 20];
  memset(local, 1, sizeof local);
  char* first = local;
  first[at] = 2;
  return local[sizeof local - 1] + local[0];
}

int main(void) {
  unsigned at = plumb_symbolic_uint("at");
  if (at >= 1 << 20) return 1;
  global[sizeof global - 1] = 1;
  global[at] = 2;
  if (use(at) == 3) return 2;
  return global[0] == 2;
}
