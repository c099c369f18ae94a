// purpose: the middle of two indices is computed by their sum, which does not fit
// checks: default,overflow
// defect: signed-overflow line 9
static int middle(int low, int high) {
#ifdef FIXED
  return low + (high - low) / 2;
#else
  // The sum of two large ones does not fit
  return (low + high) / 2;
#endif
}

int main(void) { return middle(2000000000, 2000000010) != 2000000005 && middle(1, 3) != 2; }
