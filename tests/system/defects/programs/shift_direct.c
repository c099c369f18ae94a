// purpose: a flag for each of 32 users, who have the numbers 1 to 32
// defect: shift-out-of-range line 13
// checks: default,shift
// input: user=32
#include <plumb/plumb.h>

int main(void) {
  unsigned user = plumb_symbolic_uint("user");
  if (user > 32) return 1;
#ifdef FIXED
  if (user == 32) return 2;
#endif
  unsigned flag = 1u << user;
  if (flag & 0xff00) return 3;
  return 0;
}
