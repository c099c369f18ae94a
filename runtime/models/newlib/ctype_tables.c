// The table behind the macros of newlib's <ctype.h>: the first entry is EOF's, then one a byte.

enum { Upper = 1, Lower = 2, Digit = 4, Space = 8, Punct = 16, Cntrl = 32, Hex = 64, Blank = 128 };

#define AT(byte) 1 + (byte)

const char _ctype_[257] = {
    [AT(0)... AT('\b')] = Cntrl,           [AT('\t')... AT('\r')] = Cntrl | Space,
    [AT('\r' + 1)... AT(' ' - 1)] = Cntrl, [AT(' ')] = Space | (char)Blank,
    [AT('!')... AT('/')] = Punct,          [AT('0')... AT('9')] = Digit,
    [AT(':')... AT('@')] = Punct,          [AT('A')... AT('F')] = Upper | Hex,
    [AT('G')... AT('Z')] = Upper,          [AT('[')... AT('`')] = Punct,
    [AT('a')... AT('f')] = Lower | Hex,    [AT('g')... AT('z')] = Lower,
    [AT('{')... AT('~')] = Punct,          [AT(127)] = Cntrl,
};
