// purpose: a search that found nothing is used as if it had
// defect: null-dereference line 12
#include <string.h>

int main(void) {
#ifdef FIXED
  const char *line = "key=value";
#else
  const char *line = "key value";
#endif
  const char *equals = strchr(line, '=');
  return *equals != '=';
}
