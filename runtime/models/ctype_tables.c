// The tables behind the macros of glibc's <ctype.h>: 384 entries for -128 … 255, where -1 is EOF and the other negative
// numbers are the bytes from 128 on as signed char. The bits are glibc's, whose bytes are the same on all machines.

#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BIT(number) (1 << (number))
#else
#define BIT(number) (1 << ((number) ^ 8))
#endif

enum {
  Upper = BIT(0),
  Lower = BIT(1),
  Alpha = BIT(2),
  Digit = BIT(3),
  Xdigit = BIT(4),
  Space = BIT(5),
  Print = BIT(6),
  Graph = BIT(7),
  Blank = BIT(8),
  Cntrl = BIT(9),
  Punct = BIT(10),
  Alnum = BIT(11),
};

#define AT(byte) 128 + (byte)
#define LETTER (Alpha | Alnum | Print | Graph)

static const unsigned short classes[384] = {
    [AT(0)... AT('\b')] = Cntrl,
    [AT('\t')] = Cntrl | Space | Blank,
    [AT('\n')... AT('\r')] = Cntrl | Space,
    [AT('\r' + 1)... AT(' ' - 1)] = Cntrl,
    [AT(' ')] = Space | Blank | Print,
    [AT('!')... AT('/')] = Punct | Print | Graph,
    [AT('0')... AT('9')] = Digit | Xdigit | Alnum | Print | Graph,
    [AT(':')... AT('@')] = Punct | Print | Graph,
    [AT('A')... AT('F')] = LETTER | Upper | Xdigit,
    [AT('G')... AT('Z')] = LETTER | Upper,
    [AT('[')... AT('`')] = Punct | Print | Graph,
    [AT('a')... AT('f')] = LETTER | Lower | Xdigit,
    [AT('g')... AT('z')] = LETTER | Lower,
    [AT('{')... AT('~')] = Punct | Print | Graph,
    [AT(127)] = Cntrl,
};

#define FOUR(n) (n), (n) + 1, (n) + 2, (n) + 3
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define SIXTY_FOUR(n) SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), SIXTEEN((n) + 48)
#define LETTERS(n) SIXTEEN(n), FOUR((n) + 16), FOUR((n) + 20), (n) + 24, (n) + 25
// Up to 'A'; the upper half is its own image, but for EOF, which maps to itself.
#define BELOW \
  SIXTY_FOUR(128), SIXTEEN(192), SIXTEEN(208), SIXTEEN(224), FOUR(240), FOUR(244), FOUR(248), 252, 253, 254, -1
#define BEFORE_UPPER SIXTY_FOUR(0), '@'
#define BETWEEN '[', '\\', ']', '^', '_', '`'
#define AFTER_LOWER '{', '|', '}', '~', 127
#define ABOVE SIXTY_FOUR(128), SIXTY_FOUR(192)

static const int32_t lower[384] = {BELOW, BEFORE_UPPER, LETTERS('a'), BETWEEN, LETTERS('a'), AFTER_LOWER, ABOVE};
static const int32_t upper[384] = {BELOW, BEFORE_UPPER, LETTERS('A'), BETWEEN, LETTERS('A'), AFTER_LOWER, ABOVE};

const unsigned short** __ctype_b_loc(void) {
  static const unsigned short* table = classes + 128;
  return &table;
}

const int32_t** __ctype_tolower_loc(void) {
  static const int32_t* table = lower + 128;
  return &table;
}

const int32_t** __ctype_toupper_loc(void) {
  static const int32_t* table = upper + 128;
  return &table;
}
