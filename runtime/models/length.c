#include "length.h"

#include <stddef.h>

const char* plumb_parse_length(const char* at, enum plumb_length* length) {
  int doubled = at[0] != 0 && at[1] == at[0];
  switch (*at) {
    case 'h':
      *length = doubled ? LengthChar : LengthShort;
      return at + (doubled ? 2 : 1);
    case 'l':
      *length = doubled ? LengthLongLong : LengthLong;
      return at + (doubled ? 2 : 1);
    case 'q':
    case 'j':
      *length = LengthLongLong;
      return at + 1;
    case 'L':
      *length = LengthLongDouble;
      return at + 1;
    case 'z':
    case 'Z':
    case 't':
      *length = sizeof(size_t) == sizeof(int) ? LengthInt : LengthLong;
      return at + 1;
    default:
      *length = LengthInt;
      return at;
  }
}

void plumb_store_integer(void* target, enum plumb_length length, unsigned long long value) {
  switch (length) {
    case LengthChar:
      *(unsigned char*)target = (unsigned char)value;
      break;
    case LengthShort:
      *(unsigned short*)target = (unsigned short)value;
      break;
    case LengthLong:
      *(unsigned long*)target = (unsigned long)value;
      break;
    case LengthLongLong:
    case LengthLongDouble:
      *(unsigned long long*)target = value;
      break;
    default:
      *(unsigned*)target = (unsigned)value;
  }
}
