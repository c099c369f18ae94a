// purpose: the number of a card: its issuer by the first digits, its length, and the sum that the last digit completes
#include <assert.h>
#include <plumb/plumb.h>

enum issuer { kUnknown, kVisa, kMaster, kAmerican, kDiscover };

static enum issuer issuer_of(const char* d, int length) {
  int two = 10 * d[0] + d[1];
  int four = 100 * two + 10 * d[2] + d[3];
  if (d[0] == 4 && (length == 13 || length == 16)) return kVisa;
  if (length == 16 && ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720))) return kMaster;
  if (length == 15 && (two == 34 || two == 37)) return kAmerican;
  if (length == 16 && (four == 6011 || two == 65)) return kDiscover;
  return kUnknown;
}

static int luhn(const char* d, int length) {
  int sum = 0;
  for (int i = 0; i < length; i++) {
    int digit = d[length - 1 - i];
    if (i & 1) {
      digit *= 2;
      if (digit > 9) digit -= 9;
    }
    sum += digit;
  }
  return sum % 10 == 0;
}

int main(void) {
  char text[20], digits[20];
  int length = 0;
  plumb_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 20; i++) {
    char c = text[i];
    if (c == 0) break;
    if (c == ' ' || c == '-') {
      if (length % 4 != 0) return 1;
      continue;
    }
    if (c < '0' || c > '9') return 2;
    digits[length++] = (char)(c - '0');
  }
  if (length < 13 || length > 16) return 3;
  enum issuer issuer = issuer_of(digits, length);
  if (issuer == kUnknown) return 4;
  if (!luhn(digits, length)) return 5;
  if (issuer == kAmerican) assert(digits[14] != 7 || digits[13] != 7);
  return 10 + (int)issuer;
}
