// <fenv.h>, as far as a program reads the environment of floating point. What sets the rounding mode or raises
// exceptions has no model, so that a call of it is a gap: until then numbers are rounded to nearest. Which exceptions
// were raised is any value.

#include "host.h"

enum { AllExceptions = 0x3d };

int fegetround(void) { return 0; }
int feclearexcept(int exceptions) { return (void)exceptions, 0; }
int fetestexcept(int exceptions) { return (int)plumb_host_any(0) & exceptions & AllExceptions; }
