// purpose: a pointer is moved before the first element and read
// defect: array-pointer-out-of-bounds line 10
int main(void) {
  int values[3] = {1, 2, 3};
  int *p = values;
#ifdef FIXED
  p += 1;
#endif
  --p;
  return *p - 1;
}
