// purpose: a session that timed out is released, and written to once more if it was dirty
// defect: use-after-free line 25
// input: age=31 is_dirty=1
#include <plumb/plumb.h>
#include <stdlib.h>

struct session {
  int age, writes;
};

int main(void) {
  struct session* session = calloc(1, sizeof *session);
  if (session == NULL) return 1;
  session->age = plumb_symbolic_int("age");
  int is_dirty = plumb_symbolic_int("is_dirty"), is_open = 1;
  if (session->age > 30) {
    free(session);
    is_open = 0;
  }
#ifdef FIXED
  if (is_dirty && is_open) {
#else
  if (is_dirty) {
#endif
    session->writes = 1;
  }
  if (is_open) free(session);
  return 0;
}
