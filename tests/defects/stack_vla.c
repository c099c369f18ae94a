// purpose: an array of variable length written at its length
// defect: array-pointer-out-of-bounds line 8
static int fill(int n) {
  char flags[n];
#ifdef FIXED
  for (int i = 0; i < n; ++i) flags[i] = 1;
#else
  for (int i = 1; i <= n; ++i) flags[i] = 1;
#endif
  return flags[n - 1];
}

int main(void) { return fill(13) != 1; }
