// purpose: a rate of events in a time of zero
// defect: division-by-zero line 20
// input: from=7 to=7
#include <plumb/plumb.h>

struct span {
  unsigned from, to;
};

struct meter {
  struct span span;
  unsigned events;
};

static unsigned rate(const struct meter* meter) {
  unsigned length = meter->span.to - meter->span.from;
#ifdef FIXED
  if (length == 0) return 0;
#endif
  return meter->events / length;
}

int main(void) {
  struct meter meter = {{plumb_symbolic_uint("from"), plumb_symbolic_uint("to")}, 100};
  if (meter.span.from == 0 || meter.span.from > meter.span.to) return 1;
  return rate(&meter) > 10;
}
