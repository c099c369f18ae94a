// purpose: the smaller of two limits is chosen by address; one of them is a local of the choosing function
// defect: use-after-return line 25
// input: wanted=50 is_guest=1
#include <plumb/plumb.h>

static int most = 100;
static int guest = 10;

static int* choose(int wanted, int is_guest) {
  int reduced = guest;
  int* chosen = &most;
  if (wanted < 100) {
#ifdef FIXED
    if (is_guest) chosen = &guest;
#else
    if (is_guest) chosen = &reduced;
#endif
  }
  return reduced > 0 ? chosen : &most;
}

int main(void) {
  int wanted = plumb_symbolic_int("wanted");
  int* limit = choose(wanted, plumb_symbolic_int("is_guest"));
  if (wanted > *limit) return 1;
  return 0;
}
