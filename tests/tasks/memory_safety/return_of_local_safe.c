// A pointer to what lives on.

static int *place(void) {
  static int local = 7;
  int *p = &local;
  return p;
}

int main(void) {
  int *p = place();
  return *p;
}
