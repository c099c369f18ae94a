#pragma once

/// struct tm of glibc.
struct calendar {
  int second, minute, hour;
  int day;       // of the month, from 1
  int month;     // from 0
  int year;      // since 1900
  int week_day;  // 0 is Sunday
  int year_day;
  int is_summer;
  long offset;
  const char* zone;
};
