// purpose: fields of a table with quotes, doubled quotes and line ends; rows must have as many fields as the first
#include <assert.h>
#include <plumb/plumb.h>

enum { kStart, kPlain, kQuoted, kQuoteSeen, kError };

int main(void) {
  int state = kStart, fields = 0, wanted = -1, rows = 0, field_length = 0, longest = 0, quoted_fields = 0;
  for (int i = 0; i < 40; i++) {
    unsigned char c = plumb_nondet_uchar();
    if (c == 0) break;
    switch (state) {
      case kStart:
        if (c == '"') state = kQuoted, quoted_fields++;
        else if (c == ',' || c == '\n') field_length = 0;
        else state = kPlain, field_length = 1;
        break;
      case kPlain:
        if (c == '"') state = kError;
        else if (c == ',' || c == '\n') state = kStart;
        else field_length++;
        break;
      case kQuoted:
        if (c == '"') state = kQuoteSeen;
        else field_length++;
        break;
      case kQuoteSeen:
        if (c == '"') state = kQuoted, field_length++;
        else if (c == ',' || c == '\n') state = kStart;
        else state = kError;
        break;
    }
    if (state == kError) return 1;
    if (state == kStart && (c == ',' || c == '\n')) {
      fields++;
      if (field_length > longest) longest = field_length;
      field_length = 0;
    }
    if (state == kStart && c == '\n') {
      if (wanted < 0) wanted = fields;
      else if (wanted != fields) return 2;
      fields = 0;
      rows++;
    }
  }
  if (state == kQuoted) return 3;
  if (rows == 0) return 4;
  if (rows == 3 && wanted == 2) {
    if (quoted_fields == 2) assert(longest != 5);
    return 5;
  }
  return longest > 8 ? 6 : 0;
}
