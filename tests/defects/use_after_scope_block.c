// purpose: a pointer to a variable of an inner block is used behind the block
// defect: use-after-scope line 14
int main(void) {
  int x = 1, *q = &x;
#ifdef FIXED
  int l = 2;
#endif
  if (x == 1) {
#ifndef FIXED
    int l = 2;
#endif
    q = &l;
  }
  return *q == 2 ? 0 : 1;
}
