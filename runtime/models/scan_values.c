// The conversions of scanf. They consume what glibc consumes, also where ISO C would put more back: "0x" without digits
// is zero, "1e+" is one.

#include <limits.h>

#include "host.h"
#include "scan.h"
#include "text.h"

float strtof(const char* restrict text, char** restrict end);
double strtod(const char* restrict text, char** restrict end);
long double strtold(const char* restrict text, char** restrict end);

// Reads at most `width` bytes of a field.
struct field {
  struct plumb_input* input;
  int width;
  int byte;  // the current one, or EOF at the end of field or input
};

static void advance(struct field* field) {
  field->byte = EOF;
  if (field->width <= 0) return;
  --field->width;
  field->byte = plumb_input_get(field->input);
}

static struct field open_field(struct plumb_input* input, int width) {
  struct field field = {input, width, EOF};
  advance(&field);
  return field;
}

static void close_field(struct field* field) { plumb_input_unget(field->input, field->byte); }

// The number as strtol, or for the longest type strtoll, gives it: held to its limits.
static unsigned long long saturate(unsigned long long magnitude, int overflow, int negative, int is_signed,
                                   int is_long) {
  unsigned long long largest = is_long ? ULLONG_MAX : ULONG_MAX;
  unsigned long long limit = is_signed ? largest / 2 + (unsigned)negative : largest;
  if (overflow || magnitude > limit) return !is_signed || !negative ? limit : 0 - limit;
  return negative ? 0 - magnitude : magnitude;
}

static unsigned base_of(char conversion) {
  switch (conversion) {
    case 'i':
      return 0;
    case 'o':
      return 8;
    case 'x':
    case 'X':
    case 'p':
      return 16;
    case 'b':
      return 2;
    default:
      return 10;
  }
}

// Reads a prefix 0, 0x or 0b; gives whether the zero is a digit read.
static int scan_base(struct field* field, const struct plumb_directive* directive, unsigned* base) {
  if (field->byte != '0') {
    plumb_apart();
    if (*base == 0) *base = 10;
    return 0;
  }
  advance(field);
  int letter = field->byte != EOF ? tolower(field->byte) : EOF;
  if (letter == 'x' && (*base == 0 || *base == 16)) {
    *base = 16;
    advance(field);
  } else if (letter == 'b' && directive->binary && (*base == 0 || *base == 2)) {
    *base = 2;
    advance(field);
  } else if (*base == 0) {
    *base = 8;
  }
  return 1;
}

// (nil), as %p prints it.
static enum plumb_match scan_nil(struct field* field, const struct plumb_directive* directive,
                                 struct plumb_targets* targets) {
  for (const char* at = "(nil)"; *at != 0; ++at) {
    if (field->byte == EOF || tolower(field->byte) != *at) {
      close_field(field);
      return MatchFailed;
    }
    if (at[1] != 0) advance(field);
  }
  if (!directive->suppress) *va_arg(targets->rest, void**) = NULL;
  return MatchDone;
}

enum plumb_match plumb_scan_integer(struct plumb_input* input, const struct plumb_directive* directive,
                                    struct plumb_targets* targets) {
  unsigned base = base_of(directive->conversion);
  struct field field = open_field(input, directive->width);
  if (directive->conversion == 'p' && field.byte == '(') return scan_nil(&field, directive, targets);
  int negative = field.byte == '-';
  if (field.byte == '-' || field.byte == '+') advance(&field);
  int digits = scan_base(&field, directive, &base);
  struct plumb_number number = {0, 0, 0};
  for (; field.byte != EOF && plumb_digit(field.byte) < base; advance(&field)) {
    plumb_add_digit(&number, plumb_digit(field.byte), base);
    digits = 1;
  }
  close_field(&field);
  if (!digits) return MatchFailed;
  plumb_apart();
  if (directive->suppress) return MatchDone;
  void* target = va_arg(targets->rest, void*);
  plumb_apart();
  int is_signed = directive->conversion == 'd' || directive->conversion == 'i';
  enum plumb_length length = directive->conversion == 'p' ? LengthLong : directive->length;
  unsigned long long value = saturate(number.magnitude, number.overflow, negative, is_signed, length >= LengthLongLong);
  plumb_store_integer(target, length, value);
  return MatchDone;
}

// Text that grows as needed, or that stands in memory which the caller gave.
struct text {
  char* bytes;  // of wide text wchar_t
  size_t size;  // in characters
  size_t room;
  int wide;
  int owned;
  int failed;
};

static void append(struct text* text, int byte) {
  if (text->owned && text->size == text->room && !text->failed) {
    size_t room = 2 * text->room + 32;
    char* grown = realloc(text->bytes, room * (text->wide ? sizeof(wchar_t) : 1));
    text->failed = grown == NULL;
    if (grown != NULL) {
      text->bytes = grown;
      text->room = room;
    }
  }
  if (text->bytes == NULL || text->failed) return;
  if (text->wide)
    ((wchar_t*)text->bytes)[text->size++] = (wchar_t)byte;
  else
    text->bytes[text->size++] = (char)byte;
}

static void take(struct field* field, struct text* text) {
  append(text, tolower(field->byte));
  advance(field);
}

// Takes the rest of a word that must follow; 0 if it does not.
static int take_word(struct field* field, struct text* text, const char* word) {
  for (; *word != 0; ++word) {
    if (field->byte == EOF || tolower(field->byte) != *word) return 0;
    take(field, text);
  }
  return 1;
}

static int take_infinity(struct field* field, struct text* text) {
  if (!take_word(field, text, "inf")) return 0;
  return field->byte == EOF || tolower(field->byte) != 'i' || take_word(field, text, "inity");
}

// Digits, a point and an exponent.
static int take_number(struct field* field, struct text* text) {
  int digits = 0;
  int hexadecimal = 0;
  if (field->byte == '0') {
    take(field, text);
    hexadecimal = field->width > 0 && field->byte != EOF && tolower(field->byte) == 'x';
    digits = !hexadecimal;
    if (hexadecimal) take(field, text);
  }
  int point = 0;
  int exponent = 0;
  int any = digits;
  char previous = 0;
  for (; field->byte != EOF; take(field, text)) {
    int byte = tolower(field->byte);
    if (isdigit(byte) || (hexadecimal && !exponent && plumb_digit(byte) < 16)) {
      digits = 1;
    } else if (byte == '.' && !point) {
      point = 1;
    } else if (digits && !exponent && byte == (hexadecimal ? 'p' : 'e')) {
      exponent = 1;
      point = 1;
    } else if (!(exponent && (byte == '-' || byte == '+') && (previous == 'e' || previous == 'p'))) {
      break;
    }
    previous = (char)byte;
    any = 1;
  }
  return any;
}

// Gives where the number ends, or the text if there is none; stores it if there is a target.
static char* convert_real(void* target, enum plumb_length length, const char* text) {
  char* end;
  if (length == LengthLong) {
    double value = strtod(text, &end);
    if (target != NULL && end != text) *(double*)target = value;
  } else if (length >= LengthLongLong) {
    long double value = strtold(text, &end);
    if (target != NULL && end != text) *(long double*)target = value;
  } else {
    float value = strtof(text, &end);
    if (target != NULL && end != text) *(float*)target = value;
  }
  return end;
}

enum plumb_match plumb_scan_real(struct plumb_input* input, const struct plumb_directive* directive,
                                 struct plumb_targets* targets) {
  struct field field = open_field(input, directive->width);
  struct text text = {.owned = 1};
  int negative_or_plus = field.byte == '-' || field.byte == '+';
  if (negative_or_plus) take(&field, &text);
  int letter = field.byte != EOF ? tolower(field.byte) : EOF;
  int found = letter == 'n'   ? take_word(&field, &text, "nan")
              : letter == 'i' ? take_infinity(&field, &text)
                              : take_number(&field, &text);
  close_field(&field);
  append(&text, 0);
  int valid = 0;
  if (found && !text.failed) {
    void* target = directive->suppress ? NULL : va_arg(targets->rest, void*);
    valid = convert_real(target, directive->length, text.bytes) != text.bytes;
  }
  free(text.bytes);
  return valid ? MatchDone : MatchFailed;
}

// Whether the set behind %[ has the byte; a dash between two bytes is a range.
static int in_set(const char* set, int byte) {
  int complement = *set == '^';
  if (complement) ++set;
  int found = 0;
  int first = 1;
  for (; *set != 0 && (*set != ']' || first); ++set) {
    first = 0;
    if (set[1] == '-' && set[2] != ']' && set[2] != 0) {
      found |= byte >= (unsigned char)set[0] && byte <= (unsigned char)set[2];
      set += 2;
    } else {
      found |= byte == (unsigned char)*set;
    }
  }
  return found != complement;
}

// White space and all, and without an end.
static int takes_bytes(const struct plumb_directive* directive) {
  return directive->conversion == 'c' || directive->conversion == 'C';
}

static int belongs(const struct plumb_directive* directive, int byte) {
  if (takes_bytes(directive)) return 1;
  if (directive->conversion == 's' || directive->conversion == 'S') return !isspace(byte);
  return in_set(directive->set, byte);
}

enum plumb_match plumb_scan_text(struct plumb_input* input, const struct plumb_directive* directive,
                                 struct plumb_targets* targets) {
  int is_bytes = takes_bytes(directive);
  int width = is_bytes && directive->width == INT_MAX ? 1 : directive->width;
  struct field field = open_field(input, width);
  if (field.byte == EOF) return MatchInputEnded;
  if (!belongs(directive, field.byte)) {
    close_field(&field);
    return MatchFailed;
  }
  plumb_apart();
  struct text text = {.wide = plumb_scan_is_wide(directive), .owned = directive->allocate && !directive->suppress};
  char** owner = NULL;
  if (text.owned) {
    owner = va_arg(targets->rest, char**);
  } else if (!directive->suppress) {
    text.bytes = va_arg(targets->rest, char*);
  }
  for (; field.byte != EOF && belongs(directive, field.byte); advance(&field)) append(&text, field.byte);
  close_field(&field);
  if (!is_bytes) append(&text, 0);
  if (owner != NULL) *owner = text.bytes;
  return text.failed ? MatchInputEnded : MatchDone;
}
