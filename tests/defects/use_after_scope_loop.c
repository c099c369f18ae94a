// purpose: each round of a loop has a variable of its own, and the pointer is to that of the round before
// defect: use-after-scope line 10
int main(void) {
  int sum = 0, *last = &sum;
#ifdef FIXED
  int here = 0;
#endif
  for (int i = 0; i < 3; i++) {
    if (i == 2) break;
    sum += *last;
#ifndef FIXED
    int here = i;
#endif
    here = i;
    last = &here;
  }
  return sum > 100;
}
