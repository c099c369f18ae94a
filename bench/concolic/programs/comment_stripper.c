// purpose: comments, strings and characters of a C text, followed through an endless stream; the states only set variables
#include <assert.h>
#include <plumb/plumb.h>

enum { kCode, kSlash, kLine, kBlock, kStar, kString, kStringEscape, kChar, kCharEscape };

int main(void) {
  int state = kCode, comments = 0, strings = 0, depth = 0, deepest = 0, bad = 0;
  for (;;) {
    char c = plumb_nondet_char();
    if (c == 0) break;
    int old = state;
    if (old == kCode) {
      if (c == '/') state = kSlash;
      if (c == '"') state = kString;
      if (c == '\'') state = kChar;
      if (c == '{') depth++;
      if (c == '}') depth--;
    }
    if (old == kSlash) {
      state = kCode;
      if (c == '/') state = kLine;
      if (c == '*') state = kBlock;
    }
    if (old == kLine && c == '\n') {
      state = kCode;
      comments++;
    }
    if (old == kBlock && c == '*') state = kStar;
    if (old == kStar) {
      if (c == '/') {
        state = kCode;
        comments++;
      }
      if (c != '/' && c != '*') state = kBlock;
    }
    if (old == kString) {
      if (c == '\\') state = kStringEscape;
      if (c == '"') {
        state = kCode;
        strings++;
      }
      if (c == '\n') bad = 1;
    }
    if (old == kStringEscape) state = kString;
    if (old == kChar) {
      if (c == '\\') state = kCharEscape;
      if (c == '\'') state = kCode;
    }
    if (old == kCharEscape) state = kChar;
    if (depth > deepest) deepest = depth;
    if (depth < 0) bad = 2;
    if (bad) return bad;
  }
  if (state == kBlock || state == kStar) return 3;
  if (state == kString || state == kChar) return 4;
  if (depth != 0) return 5;
  if (comments == 2 && strings == 1) {
    if (deepest == 2) assert(state != kCode);
    return 6;
  }
  return 0;
}
