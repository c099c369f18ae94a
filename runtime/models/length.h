#pragma once

// Length modifiers of printf and scanf.

enum plumb_length { LengthInt, LengthChar, LengthShort, LengthLong, LengthLongLong, LengthLongDouble };

/// Reads a modifier, if there is one; gives what follows it.
const char* plumb_parse_length(const char* at, enum plumb_length* length);
/// Stores the low bytes of the value as an integer of that length.
void plumb_store_integer(void* target, enum plumb_length length, unsigned long long value);
