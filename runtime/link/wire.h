/*
 * The numbers of the protocol between a target and the server (docs/remote-protocol.md), in C99 and C++.
 */
#ifndef PLUMB_LINK_WIRE_H
#define PLUMB_LINK_WIRE_H

#define PLUMB_WIRE_VERSION 1u
#define PLUMB_WIRE_SYNC_0 0x70u
#define PLUMB_WIRE_SYNC_1 0x6cu
#define PLUMB_WIRE_HEAD 12u
#define PLUMB_WIRE_PAYLOAD 16384u     /* at most */
#define PLUMB_WIRE_GREETING 128u      /* the same before the target has proved itself */
#define PLUMB_WIRE_LEAST_PAYLOAD 256u /* a target must take at least */
#define PLUMB_WIRE_NONCE 16u
#define PLUMB_WIRE_MAC 32u
#define PLUMB_WIRE_FINGERPRINT 32u
#define PLUMB_WIRE_NAME 32u
#define PLUMB_WIRE_NOTE 200u
#define PLUMB_WIRE_FAREWELL 120u
#define PLUMB_WIRE_TARGET_LABEL "plumb target 1"
#define PLUMB_WIRE_SERVER_LABEL "plumb server 1"
#define PLUMB_WIRE_LABEL 14u

enum plumb_wire_kind {
  PLUMB_WIRE_HELLO = 0x01,
  PLUMB_WIRE_PROOF = 0x02,
  PLUMB_WIRE_EVENTS = 0x03,
  PLUMB_WIRE_COVERAGE = 0x04,
  PLUMB_WIRE_END = 0x05,
  PLUMB_WIRE_NOTICE = 0x06,
  PLUMB_WIRE_PONG = 0x07,
  PLUMB_WIRE_CHALLENGE = 0x81,
  PLUMB_WIRE_WELCOME = 0x82,
  PLUMB_WIRE_RUN = 0x83,
  PLUMB_WIRE_DATA = 0x84,
  PLUMB_WIRE_PING = 0x85,
  PLUMB_WIRE_BYE = 0x86,
  PLUMB_WIRE_RESTART = 0x87
};

enum plumb_wire_flag { PLUMB_WIRE_BIG_ENDIAN = 1, PLUMB_WIRE_LONG_POINTERS = 2, PLUMB_WIRE_BARE_METAL = 4 };
enum plumb_wire_run_flag { PLUMB_WIRE_MODES = 1 };
enum plumb_wire_end {
  PLUMB_WIRE_EXITED = 0,
  PLUMB_WIRE_SIGNALLED = 1,
  PLUMB_WIRE_TIMED_OUT = 2,
  PLUMB_WIRE_LOST = 3,
  PLUMB_WIRE_CANNOT_START = 4
};
enum plumb_wire_bye {
  PLUMB_WIRE_OVER = 0,
  PLUMB_WIRE_NOT_UNDERSTOOD = 1,
  PLUMB_WIRE_OTHER_VERSION = 2,
  PLUMB_WIRE_REFUSED = 3,
  PLUMB_WIRE_TOO_SLOW = 4,
  PLUMB_WIRE_TOO_MANY = 5
};

#endif
