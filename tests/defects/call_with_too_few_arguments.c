// purpose: a function called through a pointer of another type, without one of its arguments
// defect: invalid-call line 13
static int sum(int a, int b) { return a + b; }

#ifdef FIXED
typedef int operation(int, int);
#define ARGUMENTS 3, -3
#else
typedef int operation(int);
#define ARGUMENTS 3
#endif
static int apply(operation* call) { return call(ARGUMENTS); }
static int apply_here(void) { return ((operation*)sum)(ARGUMENTS); }

int main(void) { return apply_here() + apply((operation*)sum); }
