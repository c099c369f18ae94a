// purpose: a default that lies in a global array is freed like the others
// defect: invalid-free line 16
#include <stdlib.h>
#include <string.h>

static char standard[] = "standard";

static char *choose(const char *wanted) { return wanted ? strdup(wanted) : standard; }

int main(void) {
#ifdef FIXED
  char *name = choose("other");
#else
  char *name = choose(NULL);
#endif
  free(name);
  return 0;
}
