// purpose: a constant table is written after a cast took the const away
// defect: write-to-constant line 12
static const int limits[3] = {1, 2, 3};
static int changeable[3] = {1, 2, 3};

int main(void) {
#ifdef FIXED
  int *p = changeable;
#else
  int *p = (int *)limits;
#endif
  p[1] = 20;
  return changeable[0] - limits[0];
}
