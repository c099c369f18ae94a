// A write that lands in another variable.
extern unsigned __VERIFIER_nondet_uint(void);

static int small[8];
static int large[64];

int main(void) {
  unsigned index = __VERIFIER_nondet_uint();
  int *place = small;
  if (index < 8) *(place + index) = 1;
  return large[0];
}
