// purpose: a shift by less than nothing
// checks: shift
// defect: shift-out-of-range line 14
int main(int argc, char **argv) {
  (void)argv;
  int steps = 3;
  long value = 1024;
#ifdef FIXED
  int last = 1;
#else
  int last = -1;
#endif
  while (steps >= last * argc)
    value >>= steps--;
  return value > 1024;
}
