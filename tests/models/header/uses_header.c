/* Uses all of plumb.h; compiled as every C and C++ standard, with plumb's macro and without, and run without. */

#include <plumb/plumb.h>

#ifndef __PLUMB__
#include <stdio.h>
#endif

int main(int argc, char** argv) {
  int speed = 5;
  unsigned char bytes[3] = {1, 2, 3};
  plumb_symbolic(&speed, sizeof speed, "speed");
  plumb_symbolic(bytes, sizeof bytes, "bytes");
  plumb_assume(speed < 1000);
  plumb_assume(argv);
  plumb_check(speed != 99);
  plumb_check(plumb_symbolic_range(0, 9, "digit") + plumb_symbolic_short("small") < 100);
  if (plumb_nondet_int() == 1 && plumb_nondet_double() > 1.0) return plumb_nondet_uchar();
#ifndef __PLUMB__
  printf("%d %d %d %d %ld\n", speed, bytes[0], bytes[1], bytes[2], plumb_symbolic_long("wide"));
#endif
  return argc > 100;
}
