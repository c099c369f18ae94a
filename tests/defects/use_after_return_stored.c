// purpose: a local array stays registered after its function returned
// defect: use-after-return line 17
static int *registered;

static void setup(int value) {
#ifdef FIXED
  static int slots[4];
#else
  int slots[4] = {0};
#endif
  slots[1] = value;
  registered = slots;
}

int main(void) {
  setup(5);
  registered[1] = 6;
  return 0;
}
