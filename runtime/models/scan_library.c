// Without a C library a scan ends at what the engine does not know.

#include "scan.h"

int plumb_scan_by_library(struct plumb_input* input, const char* format, va_list arguments) {
  return plumb_scan(input, format, 0, arguments);
}
