// The scanf engine: walks the format and skips, matches or converts. Arguments by number (%1$d) are not modelled: such
// a directive ends the scan.

#include "scan.h"

#include <limits.h>

#include "text.h"

int getc(FILE* stream);
int ungetc(int byte, FILE* stream);

int plumb_input_get(struct plumb_input* input) {
  int byte;
  if (input->stream != NULL) {
    byte = getc(input->stream);
    if (byte == EOF) return EOF;
    plumb_apart();
  } else {
    if (*input->text == 0) return EOF;
    plumb_apart();
    byte = (unsigned char)*input->text++;
  }
  ++input->consumed;
  return byte;
}

void plumb_input_unget(struct plumb_input* input, int byte) {
  if (byte == EOF) return;
  plumb_apart();
  --input->consumed;
  if (input->stream != NULL) {
    ungetc(byte, input->stream);
  } else {
    --input->text;
  }
}

// Gives 0 if the input ends.
static int skip_space(struct plumb_input* input) {
  int byte = plumb_input_get(input);
  while (byte != EOF && isspace(byte)) byte = plumb_input_get(input);
  plumb_input_unget(input, byte);
  return byte != EOF;
}

// The end of a %[ set that starts behind its bracket: a ] that comes first is a member.
static const char* end_of_set(const char* at) {
  if (*at == '^') ++at;
  if (*at == ']') ++at;
  while (*at != 0 && *at != ']') ++at;
  return *at != 0 ? at + 1 : at;
}

static const char* parse_directive(const char* at, struct plumb_directive* directive) {
  directive->suppress = *at == '*';
  if (*at == '*') ++at;
  directive->width = 0;
  for (; isdigit((unsigned char)*at); ++at) {
    if (directive->width < INT_MAX / 10) directive->width = directive->width * 10 + (*at - '0');
  }
  if (directive->width == 0) directive->width = INT_MAX;
  directive->allocate = *at == 'm';
  if (*at == 'm') ++at;
  at = plumb_parse_length(at, &directive->length);
  directive->conversion = *at;
  directive->set = at + 1;
  if (*at == 0) return at;
  return *at == '[' ? end_of_set(at + 1) : at + 1;
}

int plumb_scan_is_wide(const struct plumb_directive* directive) {
  char conversion = directive->conversion;
  if (conversion == 'C' || conversion == 'S') return 1;
  return directive->length == LengthLong && (conversion == 's' || conversion == 'c' || conversion == '[');
}

int plumb_scan_knows(const char* format) {
  while (*format != 0) {
    if (*format++ != '%') continue;
    struct plumb_directive directive = {0};
    format = parse_directive(format, &directive);
    if (directive.conversion == '$' || plumb_scan_is_wide(&directive)) return 0;
  }
  return 1;
}

static enum plumb_match store_consumed(const struct plumb_input* input, const struct plumb_directive* directive,
                                       struct plumb_targets* targets) {
  if (directive->suppress) return MatchDone;
  void* target = va_arg(targets->rest, void*);
  plumb_store_integer(target, directive->length, (unsigned long long)input->consumed);
  return MatchDone;
}

static enum plumb_match match_byte(struct plumb_input* input, char wanted) {
  int byte = plumb_input_get(input);
  if (byte == EOF) return MatchInputEnded;
  if (byte == (unsigned char)wanted) return MatchDone;
  plumb_input_unget(input, byte);
  return MatchFailed;
}

static enum plumb_match convert(struct plumb_input* input, const struct plumb_directive* directive,
                                struct plumb_targets* targets) {
  char conversion = directive->conversion;
  if (conversion == 'n') return store_consumed(input, directive, targets);
  if (conversion != 'c' && conversion != 'C' && conversion != '[' && !skip_space(input)) return MatchInputEnded;
  switch (conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'p':
      return plumb_scan_integer(input, directive, targets);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return plumb_scan_real(input, directive, targets);
    case 's':
    case 'S':
    case 'c':
    case 'C':
    case '[':
      return plumb_scan_text(input, directive, targets);
    case '%':
      return match_byte(input, '%');
    default:
      return MatchFailed;
  }
}

int plumb_scan(struct plumb_input* input, const char* format, int binary, va_list arguments) {
  struct plumb_targets targets;
  enum plumb_match match = MatchDone;
  int stored = 0;
  va_copy(targets.rest, arguments);
  while (*format != 0 && match == MatchDone) {
    if (isspace((unsigned char)*format)) {
      skip_space(input);
      ++format;
    } else if (*format != '%') {
      match = match_byte(input, *format++);
    } else {
      struct plumb_directive directive = {.binary = binary};
      format = parse_directive(format + 1, &directive);
      match = convert(input, &directive, &targets);
      int counts = directive.conversion != 'n' && directive.conversion != '%' && !directive.suppress;
      if (match == MatchDone && counts) ++stored;
    }
  }
  va_end(targets.rest);
  return match == MatchInputEnded && stored == 0 ? EOF : stored;
}
