// purpose: an editor of one line with modes, counts and a register, one key an iteration
#include <assert.h>
#include <plumb/plumb.h>

enum mode { kNormal, kInsert, kDelete, kReplace, kCommand };

struct editor {
  char line[12];
  int length, cursor, count, is_modified, is_saved;
  enum mode mode;
  char pending, cut;
};

static void erase(struct editor* e, int count) {
  while (count-- > 0 && e->cursor < e->length) {
    e->cut = e->line[e->cursor];
    for (int i = e->cursor; i + 1 < e->length; i++) e->line[i] = e->line[i + 1];
    e->length--;
    e->is_modified = 1;
  }
}

static void insert(struct editor* e, char c) {
  if (e->length == (int)sizeof e->line) return;
  for (int i = e->length; i > e->cursor; i--) e->line[i] = e->line[i - 1];
  e->line[e->cursor++] = c;
  e->length++;
  e->is_modified = 1;
}

static int normal(struct editor* e, char key) {
  int count = e->count > 0 ? e->count : 1;
  if (key >= '1' && key <= '9') {
    e->count = 10 * e->count + (key - '0');
    if (e->count > 99) e->count = 99;
    return 0;
  }
  e->count = 0;
  if (key == 'h') e->cursor = e->cursor > count ? e->cursor - count : 0;
  else if (key == 'l') e->cursor = e->cursor + count < e->length ? e->cursor + count : e->length;
  else if (key == '0') e->cursor = 0;
  else if (key == 'x') erase(e, count);
  else if (key == 'i') e->mode = kInsert;
  else if (key == 'd') e->mode = kDelete;
  else if (key == 'r') e->mode = kReplace;
  else if (key == ':') e->mode = kCommand, e->pending = 0;
  else if (key == 'p' && e->cut) insert(e, e->cut);
  return 0;
}

static int command(struct editor* e, char key) {
  if (key == 'w' || key == 'q' || key == '!') {
    if (key == 'q' && e->pending == 'w') e->pending = 'x';
    else e->pending = key == '!' && e->pending == 'q' ? '!' : key;
    return 0;
  }
  e->mode = kNormal;
  if (key != '\n') return 0;
  if (e->pending == 'w' || e->pending == 'x') e->is_saved = 1, e->is_modified = 0;
  if (e->pending == 'x' || e->pending == '!') return 1;
  return e->pending == 'q' && !e->is_modified ? 2 : 0;
}

int main(void) {
  struct editor e = {.line = "plumb", .length = 5};
  for (int steps = 0; steps < 50; steps++) {
    char key = plumb_nondet_char();
    int end = 0;
    if (e.mode == kNormal) end = normal(&e, key);
    else if (e.mode == kCommand) end = command(&e, key);
    else if (e.mode == kInsert && key == 27) e.mode = kNormal;
    else if (e.mode == kInsert) insert(&e, key);
    else if (e.mode == kDelete) {
      if (key == 'd') e.cursor = 0, erase(&e, e.length);
      else if (key == 'w') erase(&e, 4);
      e.mode = kNormal;
    } else {
      if (e.cursor < e.length) e.line[e.cursor] = key;
      e.mode = kNormal;
    }
    assert(e.length != 7 || e.cut != 'b' || !e.is_saved);
    if (end) return end;
  }
  return 3;
}
