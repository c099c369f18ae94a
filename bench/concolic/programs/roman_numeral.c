// purpose: a roman numeral is read, checked for its canonical form and compared with a bound
#include <assert.h>
#include <plumb/plumb.h>

static int value_of(char c) {
  switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    case 'D': return 500;
    case 'M': return 1000;
    default: return 0;
  }
}

static int write_roman(int n, char* out) {
  static const struct {
    int value;
    const char* text;
  } parts[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
               {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"}};
  int length = 0;
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    while (n >= parts[i].value) {
      for (const char* t = parts[i].text; *t; t++) out[length++] = *t;
      n -= parts[i].value;
    }
  out[length] = 0;
  return length;
}

int main(void) {
  char text[9];
  plumb_symbolic(text, 8, "text");
  text[8] = 0;
  int total = 0, previous = 0, repeats = 0;
  int length = 0;
  while (text[length]) length++;
  if (length == 0) return 1;
  for (int i = length - 1; i >= 0; i--) {
    int value = value_of(text[i]);
    if (value == 0) return 2;
    if (value < previous) {
      total -= value;
    } else {
      total += value;
    }
    repeats = value == previous ? repeats + 1 : 0;
    if (repeats > 2) return 3;
    previous = value;
  }
  if (total <= 0) return 4;
  char canonical[32];
  if (write_roman(total, canonical) != length) return 5;
  for (int i = 0; i < length; i++)
    if (canonical[i] != text[i]) return 6;
  if (total > 1900) {
    assert(total != 1999 && total != 2024);
    return 7;
  }
  return 0;
}
