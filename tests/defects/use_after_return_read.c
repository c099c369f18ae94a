// purpose: the address of a local variable is returned and read
// defect: use-after-return line 16
static int *largest(int a, int b) {
#ifdef FIXED
  static int result;
  result = a > b ? a : b;
  return &result;
#else
  int result = a > b ? a : b, *address = &result;
  return address;
#endif
}

int main(void) {
  int *p = largest(3, 4);
  return *p - 4;
}
