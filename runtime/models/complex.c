// Products and quotients of complex numbers, which the compiler calls for * and /: C11, annex G.5.1.

#define REAL float
#define NAME(stem) stem##sc3
#define EXPONENT ilogbf
#define SCALE ldexpf
#include "complex_arithmetic.h"

#define REAL double
#define NAME(stem) stem##dc3
#define EXPONENT ilogb
#define SCALE ldexp
#include "complex_arithmetic.h"

#define REAL long double
#define NAME(stem) stem##xc3
#define EXPONENT ilogbl
#define SCALE ldexpl
#include "complex_arithmetic.h"
