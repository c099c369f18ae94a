// purpose: an array of pointers that a loop fills but for the last
// defect: uninitialised-pointer line 12
int main(void) {
  int values[3] = {1, 2, 3}, total = 0;
  int *pointers[3];
#ifdef FIXED
  for (int i = 0; i < 3; ++i) pointers[i] = &values[i];
#else
  for (int i = 0; i < 2; ++i) pointers[i] = &values[i];
#endif
  for (int i = 0; i < 3; ++i) {
    total += *pointers[i];
  }
  return total - 6;
}
