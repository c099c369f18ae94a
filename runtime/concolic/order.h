/* What a native run is told of the order of its threads (replay_order.c, src/replay/native_order.h): entries in the
   machine's own words. */
#ifndef PLUMB_ORDER_H
#define PLUMB_ORDER_H

#include <stdint.h>

enum plumb_order_kind {
  PLUMB_ORDER_ACCESS,
  PLUMB_ORDER_CALL,
  PLUMB_ORDER_WAKE,    /* of a call that waited */
  PLUMB_ORDER_BLOCKED, /* a call that blocks for good */
  PLUMB_ORDER_INPUT,
  PLUMB_ORDER_END,
  PLUMB_ORDER_DEADLOCK /* all threads that have not ended block */
};

struct plumb_order_entry {
  uint32_t thread; /* in the order of creation, from 0 */
  uint32_t kind;
  uint32_t line; /* and column of an access or a call; else 0 */
  uint32_t column;
};

#endif
