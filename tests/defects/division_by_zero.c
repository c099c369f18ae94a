// purpose: an average of nothing
// defect: division-by-zero line 6
static int average(const int *values, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i) total += values[i];
  return total / count;
}

int main(void) {
  int values[2] = {3, 5};
#ifdef FIXED
  return average(values, 2) - 4;
#else
  return average(values, 0);
#endif
}
