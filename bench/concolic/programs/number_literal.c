// purpose: which kind of C number a text is, one character a step, by conditions that only set variables
#include <assert.h>
#include <plumb/plumb.h>

enum kind { kNone, kZero, kDecimal, kOctal, kHexMark, kHex, kPoint, kFraction, kExponentMark, kExponentSign, kExponent, kSuffix, kBad };

int main(void) {
  int kind = kNone, unsigned_marks = 0, long_marks = 0, separators = 0, length = 0;
  for (;;) {
    char c = plumb_nondet_char();
    if (c == ' ') break;
    length++;
    int is_digit = c >= '0' && c <= '9', is_octal = c >= '0' && c <= '7';
    int is_hex = is_digit || (c >= 'a' && c <= 'f');
    int next = kBad;
    if (kind == kNone && c == '0') next = kZero;
    if (kind == kNone && is_digit && c != '0') next = kDecimal;
    if (kind == kNone && c == '.') next = kPoint;
    if (kind == kZero && is_octal) next = kOctal;
    if (kind == kZero && c == 'x') next = kHexMark;
    if (kind == kZero && c == '.') next = kFraction;
    if (kind == kOctal && is_octal) next = kOctal;
    if (kind == kDecimal && is_digit) next = kDecimal;
    if (kind == kDecimal && c == '.') next = kFraction;
    if (kind == kDecimal && c == 'e') next = kExponentMark;
    if ((kind == kHexMark || kind == kHex) && is_hex) next = kHex;
    if ((kind == kPoint || kind == kFraction) && is_digit) next = kFraction;
    if (kind == kFraction && c == 'e') next = kExponentMark;
    if (kind == kExponentMark && (c == '+' || c == '-')) next = kExponentSign;
    if ((kind == kExponentMark || kind == kExponentSign || kind == kExponent) && is_digit) next = kExponent;
    if ((kind == kDecimal || kind == kOctal || kind == kHex || kind == kZero || kind == kSuffix) && c == 'u') {
      next = kSuffix;
      unsigned_marks++;
    }
    if ((kind == kDecimal || kind == kOctal || kind == kHex || kind == kZero || kind == kSuffix) && c == 'l') {
      next = kSuffix;
      long_marks++;
    }
    if (c == '\'' && (kind == kDecimal || kind == kHex)) {
      next = kind;
      separators++;
    }
    kind = next;
    if (length == 30) break;
  }
  if (kind == kBad || kind == kNone) return 1;
  if (kind == kPoint || kind == kHexMark || kind == kExponentMark || kind == kExponentSign) return 2;
  if (unsigned_marks > 1 || long_marks > 2) return 3;
  if (kind == kSuffix && separators == 2) {
    assert(unsigned_marks + long_marks < 3);
    return 4;
  }
  if (kind == kExponent) return separators ? 5 : 6;
  if (kind == kHex && length > 8) return 7;
  return 0;
}
