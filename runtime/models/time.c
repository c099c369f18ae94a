// <time.h> in UTC: local time is universal time in a single run, and its zone a gap in a proof. Days are counted from
// 1 March, so that leap days come last; the calendar arithmetic is the usual one on eras of 400 years.

#include "calendar.h"
#include "host.h"
#include "text.h"

typedef long time_value;

time_value time(time_value* to) {
  time_value now = (time_value)plumb_host_clock(0);
  if (to != NULL) *to = now;
  return now;
}

long clock(void) { return (long)plumb_host_clock(1); }
double difftime(time_value a, time_value b) { return (double)a - (double)b; }

struct time_pair {
  long seconds;
  long fraction;
};

enum { Microseconds = 1000000, Nanoseconds = 1000000000 };

// Of a unit of time that has `parts` of them.
static long fraction(long parts) {
  long long value = plumb_host_clock(2);
  plumb_assume(value >= 0 && value < parts);
  return (long)value;
}

int gettimeofday(struct time_pair* restrict to, void* restrict zone) {
  (void)zone;
  to->seconds = (long)plumb_host_clock(0);
  to->fraction = fraction(Microseconds);
  return 0;
}

static struct time_pair real_time(void) {
  long seconds = (long)plumb_host_clock(0);
  return (struct time_pair){seconds, fraction(Nanoseconds)};
}

int clock_gettime(int which, struct time_pair* to) {
  enum { Clocks = 12 };
  if ((which < 0 || which >= Clocks) && plumb_host_outcome(EINVAL) != 0) return -1;
  if (which == 0) {
    *to = real_time();
  } else {
    long long now = plumb_host_clock(1);
    plumb_assume(now >= 0);
    *to = (struct time_pair){(long)(now / Microseconds), (long)(now % Microseconds * 1000 + fraction(1000))};
  }
  return 0;
}

int timespec_get(struct time_pair* to, int base) {
  enum { Utc = 1 };
  if (base != Utc) return 0;
  *to = real_time();
  return base;
}

int nanosleep(const struct time_pair* wanted, struct time_pair* rest) {
  long seconds = wanted->seconds;
  if (plumb_host_outcome(0) == 0) return 0;
  if (rest != NULL && errno == EINTR)
    *rest = (struct time_pair){(long)plumb_host_between(0, seconds > 0 ? seconds : 0, 0),
                               (long)plumb_host_between(0, Nanoseconds - 1, 0)};
  return -1;
}

enum { DayOfEpoch = 719468, EraDays = 146097, DaySeconds = 86400 };

static long long floor_divide(long long a, long long b) { return a / b - (a % b < 0); }

// Days since 1970-01-01 of a date; the month may be any number.
static long long days_of(long long year, long long month, long long day) {
  year += floor_divide(month, 12);
  month -= 12 * floor_divide(month, 12);
  if (month < 2) --year;
  long long era = floor_divide(year, 400);
  long long year_of_era = year - 400 * era;
  long long month_from_march = month < 2 ? month + 10 : month - 2;
  long long day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
  return era * EraDays + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - DayOfEpoch;
}

// Fills in the calendar; 0 if the year does not fit.
static int split(long long seconds, struct calendar* to) {
  long long day = floor_divide(seconds, DaySeconds);
  int second = (int)(seconds - day * DaySeconds);
  long long from_march = day + DayOfEpoch;
  long long era = floor_divide(from_march, EraDays);
  long long of_era = from_march - era * EraDays;
  long long year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  long long day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  long long month_from_march = (5 * day_of_year + 2) / 153;
  int month = (int)(month_from_march < 10 ? month_from_march + 2 : month_from_march - 10);
  long long year = year_of_era + era * 400 + (month < 2);
  if (year - 1900 > 2147483647ll || year - 1900 < -2147483648ll) return 0;
  *to = (struct calendar){.second = second % 60,
                          .minute = second / 60 % 60,
                          .hour = second / 3600,
                          .day = (int)(day_of_year - (153 * month_from_march + 2) / 5 + 1),
                          .month = month,
                          .year = (int)(year - 1900),
                          .week_day = (int)(((day + 4) % 7 + 7) % 7),
                          .year_day = (int)(day - days_of(year, 0, 1)),
                          .zone = "GMT"};
  return 1;
}

struct calendar* gmtime_r(const time_value* restrict seconds, struct calendar* restrict to) {
  if (split(*seconds, to)) return to;
  errno = EOVERFLOW;
  return NULL;
}

struct calendar* localtime_r(const time_value* restrict seconds, struct calendar* restrict to) {
  plumb_host_gap("the time zone");
  struct calendar* result = gmtime_r(seconds, to);
  if (result != NULL) result->zone = "UTC";
  return result;
}

static struct calendar shared;
struct calendar* gmtime(const time_value* seconds) { return gmtime_r(seconds, &shared); }
struct calendar* localtime(const time_value* seconds) { return localtime_r(seconds, &shared); }
void tzset(void) {}

static time_value join(struct calendar* from, const char* zone) {
  long long day = days_of(1900ll + from->year, from->month, from->day);
  long long seconds = day * DaySeconds + from->hour * 3600ll + from->minute * 60ll + from->second;
  if (seconds != (time_value)seconds || !split(seconds, from)) {
    errno = EOVERFLOW;
    return -1;
  }
  from->zone = zone;
  return (time_value)seconds;
}

time_value mktime(struct calendar* from) {
  plumb_host_gap("the time zone");
  return join(from, "UTC");
}

time_value timegm(struct calendar* from) { return join(from, "GMT"); }

size_t strftime(char* restrict to, size_t room, const char* restrict format, const struct calendar* restrict from);

char* asctime_r(const struct calendar* restrict from, char* restrict to) {
  return strftime(to, 26, "%a %b %e %H:%M:%S %Y\n", from) != 0 ? to : NULL;
}

char* asctime(const struct calendar* from) {
  static char text[26];
  return asctime_r(from, text);
}

char* ctime(const time_value* seconds) {
  struct calendar* split_time = localtime(seconds);
  return split_time != NULL ? asctime(split_time) : NULL;
}

char* ctime_r(const time_value* restrict seconds, char* restrict to) {
  struct calendar split_time;
  return localtime_r(seconds, &split_time) != NULL ? asctime_r(&split_time, to) : NULL;
}
