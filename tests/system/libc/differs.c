// What the programs of agree/ rest on: by its name a function is its model, and a difference from the library's is
// told.
#include <plumb/plumb.h>

#include "agree/agree.h"

int main(void) {
  MUST(plumb_symbolic_int("x") != 5 || (void*)strtol == (void*)REAL(strtol));
  return 0;
}
