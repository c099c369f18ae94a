// A pointer to what lives on.
// Fails with: no input

static int *place(void) {
  int local = 7;
  int *p = &local;
  return p;
}

int main(void) {
  int *p = place();
  return *p;
}
