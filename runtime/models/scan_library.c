// Without a C library the engine does what it can, and says where that may not be all.

#include <string.h>

#include "host.h"
#include "scan.h"

static int is_ascii(const char* text) {
  for (; *text != 0; ++text)
    if ((unsigned char)*text > 0x7f) return 0;
  return 1;
}

int plumb_scan_by_library(struct plumb_input* input, const char* format, va_list arguments) {
  if (strchr(format, '$') != NULL) plumb_host_gap("arguments of scanf that have numbers");
  if (input->stream != NULL || !is_ascii(input->text)) plumb_host_gap("wide text beyond ASCII is the locale's");
  return plumb_scan(input, format, 0, arguments);
}
