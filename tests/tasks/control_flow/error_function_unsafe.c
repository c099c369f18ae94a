// The error function of earlier years, and a driver's table of calls.
// Fails with: 1 1 1 1 1 1 1 1
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_error(void);

struct operations {
  int (*open)(void);
  void (*close)(void);
};
static int users;
static int open_device(void) {
  if (users == 4) return -1;
  users++;
  return 0;
}
static void close_device(void) { users--; }
static const struct operations device = {open_device, close_device};

int main(void) {
  int mine = 0;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
      if (device.open() == 0) mine++;
    } else if (mine > 0) {
      device.close();
      mine--;
    }
    if (mine != users || users > 3) __VERIFIER_error();
  }
  return 0;
}
