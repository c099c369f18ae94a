// purpose: a default is set for the first of two conditions alone
// defect: uninitialised-read line 18
// checks: default,uninitialised
// input: is_set=1 is_valid=0
#include <plumb/plumb.h>

int main(void) {
  int is_set = plumb_symbolic_int("is_set"), is_valid = plumb_symbolic_int("is_valid");
  int port;
  if (is_set) {
    if (is_valid) port = 8080;
#ifdef FIXED
    else port = 443;
#endif
  } else {
    port = 80;
  }
  if (port < 1024) return 1;
  return 0;
}
