// purpose: a global table is read past its end
// defect: array-out-of-bounds line 7
static const int primes[] = {2, 3, 5, 7, 11, 13};
int unrelated = 17;

static int nth(unsigned n) {
  return primes[n];
}

int main(void) {
#ifdef FIXED
  return nth(5) != 13;
#else
  return nth(6) != 17;
#endif
}
