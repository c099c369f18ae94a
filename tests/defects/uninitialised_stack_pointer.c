// purpose: a pointer that only one branch sets
// defect: uninitialised-pointer line 7
static int choose(int which) {
  int value = 5;
  int *p;
  if (which) p = &value;
  return *p;
}

int main(void) {
#ifdef FIXED
  return choose(1) - 5;
#else
  return choose(0) - 5;
#endif
}
