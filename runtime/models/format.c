// The printf engine: walks the format, converts integers, text and pointers. Floating point is in format_real.c,
// parsing of a specification and fetching of arguments in format_arguments.c.

#include "format.h"

#include <limits.h>

#include "host.h"
#include "text.h"
#include "wide.h"

static void flush(struct plumb_sink* sink, size_t size) {
  if (size > 0 && !sink->write(sink->stream, sink->chunk, size)) sink->failed = 1;
}

void plumb_put(struct plumb_sink* sink, char byte) {
  if (sink->write != NULL) {
    sink->chunk[sink->total % SinkChunk] = byte;
    if (sink->total % SinkChunk == SinkChunk - 1) flush(sink, SinkChunk);
  } else if (sink->total < sink->room) {
    sink->memory[sink->total] = byte;
  }
  ++sink->total;
}

void plumb_put_text(struct plumb_sink* sink, const char* text, size_t size) {
  for (size_t i = 0; i < size; ++i) plumb_put(sink, text[i]);
}

void plumb_pad(struct plumb_sink* sink, char byte, long long count) {
  for (; count > 0; --count) plumb_put(sink, byte);
}

long long plumb_open_field(struct plumb_sink* sink, const struct plumb_specification* specification, const char* prefix,
                           long long body_size, int zeros) {
  size_t prefix_size = strlen(prefix);
  long long padding = specification->width - body_size - (long long)prefix_size;
  if (!specification->left && !zeros) plumb_pad(sink, ' ', padding);
  plumb_put_text(sink, prefix, prefix_size);
  if (!specification->left && zeros) plumb_pad(sink, '0', padding);
  return specification->left ? padding : 0;
}

static void put_field(struct plumb_sink* sink, const struct plumb_specification* specification, const char* text,
                      size_t size) {
  long long padding = plumb_open_field(sink, specification, "", (long long)size, 0);
  plumb_put_text(sink, text, size);
  plumb_pad(sink, ' ', padding);
}

static unsigned long long narrow(unsigned long long value, enum plumb_length length, int is_signed) {
  switch (length) {
    case LengthChar:
      return is_signed ? (unsigned long long)(signed char)value : (unsigned char)value;
    case LengthShort:
      return is_signed ? (unsigned long long)(short)value : (unsigned short)value;
    case LengthInt:
      return is_signed ? (unsigned long long)(int)value : (unsigned)value;
    case LengthLong:
      return is_signed ? (unsigned long long)(long)value : (unsigned long)value;
    default:
      return value;
  }
}

enum { IntegerDigits = 64 };

static char digit_of(unsigned digit, int upper) {
  return (char)(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
}

// Writes the digits of the value at the end of the buffer and gives how many there are; none for zero. A division is
// the dearest of operations in a formula: of 32 bits where that is enough, and none for powers of two.
static int digits_of(char* buffer, unsigned long long value, unsigned base, int upper) {
  int shift = base == 2 ? 1 : base == 8 ? 3 : base == 16 ? 4 : 0;
  int count = 0;
  if (shift != 0) {
    for (; value != 0; value >>= shift) {
      buffer[IntegerDigits - ++count] = digit_of((unsigned)value & (base - 1), upper);
    }
    return count;
  }
  for (; value > UINT_MAX; value /= 10) buffer[IntegerDigits - ++count] = (char)('0' + value % 10);
  for (unsigned rest = (unsigned)value; rest != 0; rest /= 10) {
    buffer[IntegerDigits - ++count] = (char)('0' + rest % 10);
  }
  return count;
}

static unsigned base_of(char conversion) {
  switch (conversion) {
    case 'o':
      return 8;
    case 'x':
    case 'X':
    case 'p':
      return 16;
    case 'b':
    case 'B':
      return 2;
    default:
      return 10;
  }
}

static const char* sign_of(const struct plumb_specification* specification, int negative) {
  if (negative) return "-";
  if (specification->plus) return "+";
  return specification->space ? " " : "";
}

static void put_integer(struct plumb_sink* sink, const struct plumb_specification* specification,
                        unsigned long long value, const char* prefix) {
  char buffer[IntegerDigits];
  char conversion = specification->conversion;
  int count = digits_of(buffer, value, base_of(conversion), conversion == 'X');
  int precision = specification->precision < 0 ? 1 : specification->precision;
  if (conversion == 'o' && specification->alternate && precision <= count) precision = count + 1;
  long long size = count > precision ? count : precision;
  int zeros = specification->zero && specification->precision < 0;
  long long padding = plumb_open_field(sink, specification, prefix, size, zeros);
  plumb_pad(sink, '0', size - count);
  plumb_put_text(sink, buffer + IntegerDigits - count, (size_t)count);
  plumb_pad(sink, ' ', padding);
}

static void put_signed(struct plumb_sink* sink, const struct plumb_specification* specification,
                       unsigned long long value) {
  int negative = (long long)value < 0;
  put_integer(sink, specification, negative ? 0 - value : value, sign_of(specification, negative));
}

static void put_unsigned(struct plumb_sink* sink, const struct plumb_specification* specification,
                         unsigned long long value) {
  char prefix[3] = {'0', specification->conversion, 0};
  unsigned base = base_of(specification->conversion);
  int prefixed = specification->alternate && value != 0 && (base == 2 || base == 16);
  put_integer(sink, specification, value, prefixed ? prefix : "");
}

static void put_pointer(struct plumb_sink* sink, const struct plumb_specification* specification,
                        unsigned long long value) {
  if (value == 0) {
    put_field(sink, specification, "(nil)", 5);
    return;
  }
  const char* prefix = specification->plus ? "+0x" : specification->space ? " 0x" : "0x";
  put_integer(sink, specification, value, prefix);
}

static void put_string(struct plumb_sink* sink, const struct plumb_specification* specification, const char* text) {
  int precision = specification->precision;
  if (text == NULL) text = precision < 0 || precision >= 6 ? "(null)" : "";
  size_t size = 0;
  while ((precision < 0 || size < (size_t)precision) && text[size] != 0) ++size;
  put_field(sink, specification, text, size);
}

static int fail(struct plumb_sink* sink) {
  sink->failed = 1;
  return 0;
}

// Writes the characters that fit into the precision whole, or only measures them; 0 if one has no bytes.
static int put_wide(struct plumb_sink* sink, const struct plumb_specification* specification, const wchar_t* text,
                    long long* size) {
  *size = 0;
  for (; (specification->precision < 0 || *size < specification->precision) && *text != 0; ++text) {
    char bytes[8];
    size_t length = wcrtomb(bytes, *text, NULL);
    if (length == (size_t)-1) return 0;
    if (specification->precision >= 0 && *size + (long long)length > specification->precision) break;
    if (sink != NULL) plumb_put_text(sink, bytes, length);
    *size += (long long)length;
  }
  return 1;
}

static int put_wide_string(struct plumb_sink* sink, const struct plumb_specification* specification,
                           const wchar_t* text) {
  int precision = specification->precision;
  if (text == NULL) text = precision < 0 || precision >= 6 ? L"(null)" : L"";
  long long size;
  if (!put_wide(NULL, specification, text, &size)) return fail(sink);
  long long padding = plumb_open_field(sink, specification, "", size, 0);
  put_wide(sink, specification, text, &size);
  plumb_pad(sink, ' ', padding);
  return 1;
}

static int put_character(struct plumb_sink* sink, const struct plumb_specification* specification,
                         unsigned long long value) {
  char bytes[8] = {(char)value};
  size_t length = 1;
  if (specification->length == LengthLong) length = wcrtomb(bytes, (wchar_t)value, NULL);
  if (length == (size_t)-1) return fail(sink);
  put_field(sink, specification, bytes, length);
  return 1;
}

// Gives 0 for a conversion that does not exist.
static int convert(struct plumb_sink* sink, const struct plumb_specification* specification,
                   struct plumb_arguments* arguments) {
  switch (specification->conversion) {
    case 'd':
    case 'i':
      put_signed(sink, specification, narrow(plumb_fetch_integer(arguments, specification), specification->length, 1));
      return 1;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B':
      put_unsigned(sink, specification,
                   narrow(plumb_fetch_integer(arguments, specification), specification->length, 0));
      return 1;
    case 'c':
    case 'C':
      put_character(sink, specification, plumb_fetch_integer(arguments, specification));
      return 1;
    case 's':
    case 'S': {
      const void* text = (const void*)(uintptr_t)plumb_fetch_integer(arguments, specification);
      if (specification->length == LengthLong) {
        put_wide_string(sink, specification, text);
      } else {
        put_string(sink, specification, text);
      }
      return 1;
    }
    case 'p':
      put_pointer(sink, specification, plumb_fetch_integer(arguments, specification));
      return 1;
    case 'n':
      plumb_store_integer((void*)(uintptr_t)plumb_fetch_integer(arguments, specification), specification->length,
                          sink->total);
      return 1;
    case 'm':
      put_string(sink, specification, strerror(errno));
      return 1;
    case '%':
      plumb_put(sink, '%');
      return 1;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      plumb_format_real(sink, specification, arguments);
      return 1;
    default:
      return 0;
  }
}

static void resolve_stars(struct plumb_specification* specification, struct plumb_arguments* arguments) {
  if (specification->width_argument != 0) {
    int width = plumb_fetch_star(arguments, specification->width_argument);
    if (width < 0) specification->left = 1;
    specification->width = width < 0 ? -width : width;
  }
  if (specification->precision_argument != 0) {
    int precision = plumb_fetch_star(arguments, specification->precision_argument);
    specification->precision = precision < 0 ? -1 : precision;
  }
}

int plumb_format(struct plumb_sink* sink, const char* format, va_list list) {
  struct plumb_arguments arguments;
  arguments.format = format;
  va_copy(arguments.rest, list);
  va_copy(arguments.start, list);
  while (*format != 0 && !sink->failed) {
    if (*format != '%') {
      plumb_put(sink, *format++);
      continue;
    }
    struct plumb_specification specification;
    const char* end = plumb_parse_specification(format + 1, &specification);
    resolve_stars(&specification, &arguments);
    if (specification.conversion == 0) {
      errno = specification.width == INT_MAX ? EOVERFLOW : EINVAL;
      sink->failed = 1;
    } else if (!convert(sink, &specification, &arguments)) {
      plumb_put_text(sink, format, (size_t)(end - format));
    }
    format = end;
  }
  va_end(arguments.start);
  va_end(arguments.rest);
  if (sink->write != NULL) flush(sink, sink->total % SinkChunk);
  if (!sink->failed && sink->total > INT_MAX) {
    errno = EOVERFLOW;
    sink->failed = 1;
  }
  return sink->failed ? -1 : (int)sink->total;
}
