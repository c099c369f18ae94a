// purpose: a sentence of a satellite receiver: the sum in hexadecimal at its end, fields between commas, a position in bounds
#include <plumb/plumb.h>

enum { kSize = 28 };

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static int field(const char* s, int* at, int digits) {
  int n = 0;
  for (int i = 0; i < digits; i++) {
    char c = s[*at];
    if (c < '0' || c > '9') return -1;
    n = 10 * n + (c - '0');
    (*at)++;
  }
  return s[(*at)++] == ',' ? n : -1;
}

int main(void) {
  char s[kSize + 1];
  plumb_symbolic(s, kSize, "sentence");
  s[kSize] = 0;
  if (s[0] != '$' || s[1] != 'G') return 1;
  int end = 0, sum = 0;
  for (int i = 1; i < kSize - 2 && end == 0; i++) {
    if (s[i] == '*') end = i;
    else sum ^= s[i];
  }
  if (end == 0) return 2;
  int high = hex(s[end + 1]), low = hex(s[end + 2]);
  if (high < 0 || low < 0 || (high << 4 | low) != sum) return 3;
  if (s[2] != 'P' && s[2] != 'L') return 4;
  if (s[3] != ',') return 5;
  int at = 4;
  int hours = field(s, &at, 2), minutes = field(s, &at, 2);
  if (hours < 0 || minutes < 0) return 6;
  if (hours > 23 || minutes > 59) return 7;
  int degrees = field(s, &at, 3);
  if (degrees < 0) return 8;
  if (degrees > 180) return 9;
  char side = s[at];
  if (side != 'N' && side != 'S' && side != 'E' && side != 'W') return 10;
  if ((side == 'N' || side == 'S') && degrees > 90) return 11;
  plumb_check(!(hours == 23 && minutes == 59 && side == 'W' && s[2] == 'L'));
  return 0;
}
