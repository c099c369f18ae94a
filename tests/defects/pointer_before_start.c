// purpose: a loop from the end of an array ends when its pointer is before the start
// defect: pointer-arithmetic line 10
// checks: default,pointer-arithmetic
int main(void) {
  int numbers[4] = {1, 2, 3, 4}, sum = 0;
#ifdef FIXED
  for (int *p = numbers + 4; p != numbers;) sum += *--p;
#else
  int *p = numbers + 3;
  for (int left = 4; left > 0; left--, p--) sum += *p;
#endif
  return sum - 10;
}
