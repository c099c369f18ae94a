// purpose: a date and a time in text are read, checked with leap years and turned into a day number: many checks, little state
#include <assert.h>
#include <plumb/plumb.h>

static int number(const char* s, int digits) {
  int n = 0;
  for (int i = 0; i < digits; i++) {
    if (s[i] < '0' || s[i] > '9') return -1;
    n = 10 * n + (s[i] - '0');
  }
  return n;
}

static int is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static int days_in(int year, int month) {
  static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

int main(void) {
  char s[16];
  plumb_symbolic(s, sizeof s, "stamp");
  int year = number(s, 4);
  if (year < 0) return 1;
  if (s[4] != '-' || s[7] != '-') return 2;
  int month = number(s + 5, 2), day = number(s + 8, 2);
  if (month < 1 || month > 12) return 3;
  if (day < 1 || day > days_in(year, month)) return 4;
  if (s[10] != 'T' && s[10] != ' ') return 5;
  int hour = number(s + 11, 2);
  if (hour < 0 || hour > 23) return 6;
  if (s[13] != ':') return 7;
  int minute = number(s + 14, 2);
  if (minute < 0 || minute > 59) return 8;
  int days = day;
  for (int m = 1; m < month; m++) days += days_in(year, m);
  if (days == 366) return 9;
  int weekday = (year + year / 4 - year / 100 + year / 400 + days) % 7;
  if (weekday == 5 && day == 13) {
    assert(month != 8 || hour != 13);
    return 10;
  }
  return days == 60 && is_leap(year) ? 11 : 0;
}
