#include "shadow.h"

void plumb_reset_run(void) {
  uint32_t i;
  plumb_recording = 0;
  plumb_is_cut = 0;
  plumb_reset_shadow();
  plumb_forget_constants();
  plumb_reset_objects();
  plumb_reset_check_records();
  plumb_reset_told();
  plumb_reset_variadic();
  for (i = 0; i < PLUMB_ARGUMENTS; ++i) __plumb_arguments[i] = 0;
  for (i = 0; i < PLUMB_RESULTS; ++i) __plumb_results[i] = 0;
  __plumb_callee = 0;
  __plumb_call_site = 0;
}
