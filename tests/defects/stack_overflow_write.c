// purpose: a loop writes past the end of a local array
// defect: array-out-of-bounds line 11
int main(void) {
  int squares[8];
#ifdef FIXED
  int count = 8;
#else
  int count = 9;
#endif
  for (int i = 0; i < count; ++i) {
    squares[i] = i * i;
  }
  return squares[0];
}
