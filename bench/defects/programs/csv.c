// purpose: a line with commas and quotes is split into fields of the heap
// seeded: A=1 B=1
#include <plumb/plumb.h>
#include <stdlib.h>

enum { FIELDS = 3 };

struct line {
  char* fields[FIELDS];
  int count;
};

static char* copy_field(const char* from, int length) {
  char* field = malloc((size_t)length);
  if (field == NULL) return NULL;
  for (int i = 0; i < length; ++i) field[i] = from[i];
  if (length > 0) field[length] = '\0';
  return field;
}

static int split(struct line* line, const char* text, int size) {
  int start = 0, is_quoted = 0;
  line->count = 0;
  for (int i = 0; i <= size; ++i) {
    int is_end = i == size || text[i] == '\0';
    if (!is_end && text[i] == '"') is_quoted = !is_quoted;
    if (is_end && is_quoted) return 0;
    if (is_end || (text[i] == ',' && !is_quoted)) {
      if (line->count == FIELDS) return 0;
      line->fields[line->count] = copy_field(text + start, i - start);
      line->count++;
      start = i + 1;
    }
    if (is_end) break;
  }
  return 1;
}

int main(void) {
  char text[6];
  struct line line;
  plumb_symbolic(text, sizeof text, "text");
  if (!split(&line, text, sizeof text)) return 1;
  for (int i = 0; i < line.count; ++i) free(line.fields[i]);
  return line.count;
}
