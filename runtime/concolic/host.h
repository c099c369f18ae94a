/* What the host's files share. */
#ifndef PLUMB_CONCOLIC_HOST_H
#define PLUMB_CONCOLIC_HOST_H

#include "state.h"

#pragma GCC visibility push(hidden)

/* The segment; null without a fork server. */
extern struct plumb_shared* plumb_shared;
/* Is this the first thread of the process that the fork server started? Unlike plumb_recording it stays 1 inside the
   runtime. */
extern PLUMB_THREAD_LOCAL uint32_t plumb_is_traced;

/* Handlers of fatal signals, on a stack of their own; inherited by children. */
void plumb_watch_signals(void);
/* The program has a handler of its own for this signal. */
int plumb_is_handled(int signal);

#pragma GCC visibility pop

#endif
