// strftime in the "C" locale. The modifiers E and O change nothing; of glibc's flags, _ - and 0 choose the padding.

#include "calendar.h"
#include "host.h"
#include "text.h"

static const char* const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char* const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};

struct output {
  char* to;
  size_t room;
  size_t size;  // beyond `room` if the text does not fit
};

static void put(struct output* output, char byte) {
  if (output->size < output->room) output->to[output->size] = byte;
  ++output->size;
}

static void put_text(struct output* output, const char* text, size_t most) {
  for (; *text != 0 && most > 0; ++text, --most) put(output, *text);
}

static void put_number(struct output* output, long long value, int width, char padding, char flag) {
  char digits[24];
  int count = 0;
  unsigned long long rest = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
  do {
    digits[count++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (value < 0) {
    put(output, '-');
    --width;
  }
  if (flag == '_') padding = ' ';
  if (flag == '0') padding = '0';
  if (flag != '-') {
    for (int i = count; i < width; ++i) put(output, padding);
  }
  while (count > 0) put(output, digits[--count]);
}

static const char* name_of(const char* const* names, int count, int index) {
  return index >= 0 && index < count ? names[index] : "?";
}

static int is_leap(long long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

// The week of ISO 8601, which belongs to the year that has its Thursday.
static int iso_week(const struct calendar* from, long long* year) {
  *year = 1900ll + from->year;
  int monday_based = (from->week_day + 6) % 7;
  int week = (from->year_day - monday_based + 10) / 7;
  if (week < 1) {
    --*year;
    int last = from->year_day + (is_leap(*year) ? 366 : 365);
    return (last - monday_based + 10) / 7;
  }
  int remaining = (is_leap(*year) ? 366 : 365) - from->year_day;
  if (week == 53 && remaining <= 3 - monday_based) {
    ++*year;
    return 1;
  }
  return week;
}

static void format_into(struct output* output, const char* format, const struct calendar* from);

static void put_year(struct output* output, char letter, char flag, const struct calendar* from) {
  long long year = 1900ll + from->year;
  int week = letter == 'G' || letter == 'g' || letter == 'V' ? iso_week(from, &year) : 0;
  switch (letter) {
    case 'V':
      put_number(output, week, 2, '0', flag);
      break;
    case 'C':
      put_number(output, year / 100 - (year % 100 < 0), 1, '0', flag);
      break;
    case 'g':
    case 'y':
      put_number(output, (year % 100 + 100) % 100, 2, '0', flag);
      break;
    default:
      put_number(output, year, 1, '0', flag);
  }
}

// The conversions that are other conversions; null if it is none.
static const char* expansion(char letter) {
  switch (letter) {
    case 'c':
      return "%a %b %e %H:%M:%S %Y";
    case 'D':
    case 'x':
      return "%m/%d/%y";
    case 'F':
      return "%Y-%m-%d";
    case 'r':
      return "%I:%M:%S %p";
    case 'R':
      return "%H:%M";
    case 'T':
    case 'X':
      return "%H:%M:%S";
    default:
      return NULL;
  }
}

long timegm(struct calendar* from);

static void put_numeric(struct output* output, char letter, char flag, const struct calendar* from) {
  int hour12 = from->hour % 12 == 0 ? 12 : from->hour % 12;
  switch (letter) {
    case 'd':
      return put_number(output, from->day, 2, '0', flag);
    case 'e':
      return put_number(output, from->day, 2, ' ', flag);
    case 'H':
      return put_number(output, from->hour, 2, '0', flag);
    case 'k':
      return put_number(output, from->hour, 2, ' ', flag);
    case 'I':
      return put_number(output, hour12, 2, '0', flag);
    case 'l':
      return put_number(output, hour12, 2, ' ', flag);
    case 'j':
      return put_number(output, from->year_day + 1, 3, '0', flag);
    case 'm':
      return put_number(output, from->month + 1, 2, '0', flag);
    case 'M':
      return put_number(output, from->minute, 2, '0', flag);
    case 'S':
      return put_number(output, from->second, 2, '0', flag);
    case 'u':
      return put_number(output, from->week_day == 0 ? 7 : from->week_day, 1, '0', flag);
    case 'w':
      return put_number(output, from->week_day, 1, '0', flag);
    case 'U':
      return put_number(output, (from->year_day + 7 - from->week_day) / 7, 2, '0', flag);
    case 'W':
      return put_number(output, (from->year_day + 7 - (from->week_day + 6) % 7) / 7, 2, '0', flag);
    case 's': {
      struct calendar copy = *from;
      return put_number(output, timegm(&copy), 1, '0', flag);
    }
    default:
      return put_year(output, letter, flag, from);
  }
}

static void convert(struct output* output, char letter, char flag, const struct calendar* from) {
  const char* expanded = expansion(letter);
  switch (letter) {
    case 'a':
      put_text(output, name_of(days, 7, from->week_day), 3);
      break;
    case 'A':
      put_text(output, name_of(days, 7, from->week_day), 99);
      break;
    case 'b':
    case 'h':
      put_text(output, name_of(months, 12, from->month), 3);
      break;
    case 'B':
      put_text(output, name_of(months, 12, from->month), 99);
      break;
    case 'p':
      put_text(output, from->hour < 12 ? "AM" : "PM", 2);
      break;
    case 'P':
      put_text(output, from->hour < 12 ? "am" : "pm", 2);
      break;
    case 'z':
      put_text(output, "+0000", 5);
      break;
    case 'Z':
      put_text(output, from->zone != NULL ? from->zone : "", 99);
      break;
    case 'n':
      put(output, '\n');
      break;
    case 't':
      put(output, '\t');
      break;
    case '%':
      put(output, '%');
      break;
    default:
      if (expanded != NULL) {
        format_into(output, expanded, from);
      } else if (strchr("deHkIljmMSuwUWsGgVCyY", letter) != NULL) {
        put_numeric(output, letter, flag, from);
      } else {
        put(output, '%');
        put(output, letter);
      }
  }
}

static void format_into(struct output* output, const char* format, const struct calendar* from) {
  for (; *format != 0; ++format) {
    if (*format != '%') {
      put(output, *format);
      continue;
    }
    char flag = 0;
    while (format[1] == '_' || format[1] == '-' || format[1] == '0') flag = *++format;
    if (format[1] == 'E' || format[1] == 'O') ++format;
    if (format[1] == 0) return;
    convert(output, *++format, flag, from);
  }
}

size_t strftime(char* restrict to, size_t room, const char* restrict format, const struct calendar* restrict from) {
  struct output output = {to, room, 0};
  format_into(&output, format, from);
  if (output.size >= room) return 0;
  to[output.size] = 0;
  return output.size;
}
