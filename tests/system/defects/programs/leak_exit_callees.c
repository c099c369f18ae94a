// purpose: a function opens a channel that its caller closes only in one of the two modes
// defect: leak line 13
// input: mode=119
#include <plumb/plumb.h>
#include <stdlib.h>

struct channel {
  int mode, position;
};

static struct channel* open_channel(int mode) {
  if (mode != 'r' && mode != 'w') return NULL;
  struct channel* channel = malloc(sizeof *channel);
  if (channel == NULL) return NULL;
  channel->mode = mode;
  channel->position = 0;
  return channel;
}

int main(void) {
  struct channel* channel = open_channel(plumb_symbolic_int("mode"));
  if (channel == NULL) return 1;
#ifdef FIXED
  free(channel);
#else
  if (channel->mode == 'r') free(channel);
#endif
  return 0;
}
