// Formats of scanf that the engine does not know are the C library's.

#include "../scan.h"

int plumb_library___isoc99_vsscanf(const char* text, const char* format, va_list arguments);
int plumb_library___isoc99_vfscanf(FILE* stream, const char* format, va_list arguments);

int plumb_scan_by_library(struct plumb_input* input, const char* format, va_list arguments) {
  if (input->stream != NULL) return plumb_library___isoc99_vfscanf(input->stream, format, arguments);
  return plumb_library___isoc99_vsscanf(input->text, format, arguments);
}
