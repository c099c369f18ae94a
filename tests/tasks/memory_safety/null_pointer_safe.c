// A pointer that may be null is looked at first.
extern int __VERIFIER_nondet_int(void);

static int value = 3;
static int *chosen(int which) { return which > 10 ? &value : 0; }

int main(void) {
  int *p = chosen(__VERIFIER_nondet_int());
  if (p) *p = 4;
  return value;
}
