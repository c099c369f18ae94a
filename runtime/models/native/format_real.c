// %e, %f, %g and %a beside a C library: it formats the number, whose value is taken as it is.

#include "../format.h"
#include "../host.h"
#include "../library.h"
#include "../text.h"

enum { LocalRoom = 512 };

// "%-+ #0*.*Lf", as far as the specification has them.
static void write_format(char* to, const struct plumb_specification* specification) {
  *to++ = '%';
  if (specification->left) *to++ = '-';
  if (specification->plus) *to++ = '+';
  if (specification->space) *to++ = ' ';
  if (specification->alternate) *to++ = '#';
  if (specification->zero) *to++ = '0';
  memcpy(to, "*.*", 3);
  to += 3;
  if (plumb_is_long_double(specification)) *to++ = 'L';
  *to++ = specification->conversion;
  *to = 0;
}

struct number {
  int is_long;
  double value;
  long double long_value;
};

static int format_number(char* to, size_t room, const struct plumb_specification* specification,
                         const struct number* number) {
  char format[16] = {0};
  write_format(format, specification);
  int width = specification->width;
  int precision = specification->precision;
  if (number->is_long) return plumb_library_snprintf(to, room, format, width, precision, number->long_value);
  return plumb_library_snprintf(to, room, format, width, precision, number->value);
}

void plumb_format_real(struct plumb_sink* sink, const struct plumb_specification* specification,
                       struct plumb_arguments* arguments) {
  char local[LocalRoom];
  struct number number = {plumb_is_long_double(specification), 0, 0};
  if (number.is_long) {
    number.long_value = plumb_fetch_long_double(arguments, specification);
  } else {
    number.value = plumb_fetch_double(arguments, specification);
  }
  int size = format_number(local, LocalRoom, specification, &number);
  char* text = size < LocalRoom ? local : malloc((size_t)size + 1);
  if (size < 0 || text == NULL) {
    sink->failed = 1;
    return;
  }
  if (text != local) format_number(text, (size_t)size + 1, specification, &number);
  plumb_put_text(sink, text, (size_t)size);
  if (text != local) free(text);
}
