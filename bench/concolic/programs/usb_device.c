// purpose: the control endpoint of a USB device: setup packets, the states of enumeration, descriptors of limited length
#include <plumb/plumb.h>
#include <string.h>

enum state { kAttached, kPowered, kDefault, kAddress, kConfigured, kSuspended };
enum { kGetStatus = 0, kClearFeature = 1, kSetFeature = 3, kSetAddress = 5, kGetDescriptor = 6, kGetConfiguration = 8, kSetConfiguration = 9 };

struct setup {
  unsigned char type, request;
  unsigned short value, index, length;
};

static enum state state = kAttached, before_suspend;
static unsigned char address, configuration, halted;
static unsigned char buffer[64];

static int descriptor(const struct setup* s) {
  static const unsigned char device[18] = {18, 1, 0, 2, 0, 0, 0, 64, 0x09, 0x12, 1, 0, 0, 1, 1, 2, 0, 1};
  static const unsigned char config[9] = {9, 2, 9, 0, 1, 1, 0, 0x80, 50};
  const unsigned char* source;
  unsigned size;
  switch (s->value >> 8) {
    case 1:
      source = device;
      size = sizeof device;
      break;
    case 2:
      if ((s->value & 0xff) != 0) return -1;
      source = config;
      size = sizeof config;
      break;
    default:
      return -1;
  }
  if (s->length < size) size = s->length;
  memcpy(buffer, source, size);
  return (int)size;
}

static int standard(const struct setup* s) {
  switch (s->request) {
    case kGetStatus:
      if (s->length != 2) return -1;
      return halted ? 1 : 0;
    case kSetAddress:
      if (s->value > 127 || s->index != 0 || s->length != 0) return -1;
      if (state == kDefault && s->value != 0) state = kAddress;
      else if (state == kAddress && s->value == 0) state = kDefault;
      else return -1;
      address = (unsigned char)s->value;
      return 0;
    case kGetDescriptor:
      return descriptor(s);
    case kGetConfiguration:
      return state == kConfigured ? configuration : 0;
    case kSetConfiguration:
      if (state != kAddress && state != kConfigured) return -1;
      if (s->value > 1) return -1;
      configuration = (unsigned char)s->value;
      state = configuration ? kConfigured : kAddress;
      return 0;
    case kSetFeature:
    case kClearFeature:
      if (state != kConfigured || s->value != 0) return -1;
      halted = s->request == kSetFeature;
      plumb_check(!(halted && address == 0x42 && s->index == 0x81)); /* a quirk of this endpoint */
      return 0;
    default:
      return -1;
  }
}

int main(void) {
  int stalls = 0;
  for (int i = 0; i < 10; i++) {
    unsigned char event = plumb_nondet_uchar();
    if (event == 'p' && state == kAttached) state = kPowered;
    else if (event == 'r' && state != kAttached) state = kDefault, address = configuration = 0;
    else if (event == 's' && state >= kDefault && state != kSuspended) before_suspend = state, state = kSuspended;
    else if (event == 'w' && state == kSuspended) state = before_suspend;
    else if (event == 'c' && state >= kDefault && state != kSuspended) {
      struct setup setup;
      plumb_symbolic(&setup, sizeof setup, "setup");
      if ((setup.type & 0x60) != 0) stalls++;
      else if (standard(&setup) < 0) stalls++;
    } else if (event == 'u') return state;
    if (stalls > 3) return 100;
  }
  return 0;
}
