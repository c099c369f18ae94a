// All decimal digits of a binary floating-point number. The number is held in words of nine digits; powers of two are
// multiplied in 29 bits at a time, growing the integer to the left, or divided out 9 bits at a time, growing the
// fraction to the right, which is exact since 2^9 divides 10^9 (the method of musl's printf). Rounding afterwards works
// on the digits, so that it is exact too.

#include "real.h"
#include "text.h"

enum { Billion = 1000000000, WordDigits = 9, MantissaWords = 3 };

// Puts the mantissa into three words.
static void split(uint64_t mantissa, uint32_t* words) {
  for (int i = MantissaWords; i > 0; --i) {
    words[i - 1] = (uint32_t)(mantissa % Billion);
    mantissa /= Billion;
  }
}

// Multiplies the words up to `end` by 2^shift; gives where they start now.
static int multiply(uint32_t* words, int start, int end, int shift) {
  uint32_t carry = 0;
  for (int i = end; i > start; --i) {
    uint64_t product = ((uint64_t)words[i - 1] << shift) + carry;
    words[i - 1] = (uint32_t)(product % Billion);
    carry = (uint32_t)(product / Billion);
  }
  if (carry != 0) words[--start] = carry;
  return start;
}

// Divides the words from `start` by 2^shift; gives where they end now.
static int divide(uint32_t* words, int start, int end, int shift) {
  uint32_t mask = (1u << shift) - 1;
  uint32_t unit = (uint32_t)Billion >> shift;
  uint32_t carry = 0;
  for (int i = start; i < end; ++i) {
    uint32_t remainder = words[i] & mask;
    words[i] = (words[i] >> shift) + carry;
    carry = unit * remainder;
  }
  if (carry != 0) words[end++] = carry;
  return end;
}

struct plumb_decimal plumb_decimal_of(uint64_t mantissa, int exponent, uint32_t* words, int capacity, char* digits) {
  int start = exponent > 0 ? capacity - MantissaWords : 0;
  int end = start + MantissaWords;
  int point = end;  // the word after the integer part
  split(mantissa, words + start);
  for (int left = exponent; left > 0; left -= 29) start = multiply(words, start, end, left < 29 ? left : 29);
  for (int left = -exponent; left > 0; left -= 9) {
    while (start < end && words[start] == 0) ++start;
    end = divide(words, start, end, left < 9 ? left : 9);
  }
  while (start < end && words[start] == 0) ++start;

  struct plumb_decimal result = {digits, 0, (long)(point - start) * WordDigits};
  for (int i = start; i < end; ++i) {
    uint32_t word = words[i];
    for (int k = WordDigits; k > 0; --k) {
      digits[result.count + k - 1] = (char)('0' + word % 10);
      word /= 10;
    }
    result.count += WordDigits;
  }
  while (result.count > 0 && result.digits[0] == '0') {
    ++result.digits;
    --result.count;
    --result.point;
  }
  while (result.count > 0 && result.digits[result.count - 1] == '0') --result.count;
  return result;
}

// Whether what stands from `keep` on is more than half a unit, or half and the digit before it is odd.
static int rounds_up(const struct plumb_decimal* decimal, long keep) {
  if (decimal->digits[keep] != '5') return decimal->digits[keep] > '5';
  if (decimal->count > keep + 1) return 1;  // the last digit is not zero
  return keep > 0 && (decimal->digits[keep - 1] - '0') % 2 == 1;
}

void plumb_decimal_round(struct plumb_decimal* decimal, long keep) {
  if (keep >= decimal->count) return;
  if (keep < 0) {
    decimal->count = 0;
    return;
  }
  int up = rounds_up(decimal, keep);
  while (up && keep > 0 && decimal->digits[keep - 1] == '9') --keep;
  if (up && keep > 0) {
    ++decimal->digits[keep - 1];
  } else if (up) {
    decimal->digits[0] = '1';
    ++decimal->point;
    keep = 1;
  }
  while (keep > 0 && decimal->digits[keep - 1] == '0') --keep;
  decimal->count = keep;
}
