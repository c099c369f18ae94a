// purpose: a function trusts a length that is not that of the array it gets
// defect: array-pointer-out-of-bounds line 6
static int sum(const int *values, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i) {
    total += values[i];
  }
  return total;
}

int main(void) {
  int values[4] = {1, 2, 3, 4};
#ifdef FIXED
  return sum(values, sizeof values / sizeof *values) != 10;
#else
  return sum(values, sizeof values) != 10;
#endif
}
