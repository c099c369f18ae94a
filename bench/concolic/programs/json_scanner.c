// purpose: a validator of JSON without recursion: a stack of brackets, states of strings, escapes and numbers
#include <klee/klee.h>

enum expect { kValue, kValueOrEnd, kKey, kKeyOrEnd, kColon, kCommaOrEnd, kDone };

static const char* text;
static int at, size;

static int peek(void) { return at < size ? text[at] : 0; }

static int string(void) {
  at++;
  while (at < size) {
    char c = text[at++];
    if (c == '"') return 1;
    if (c < 0x20) return 0;
    if (c != '\\') continue;
    if (at == size) return 0;
    char escaped = text[at++];
    if (escaped == 'u') {
      for (int i = 0; i < 4; i++, at++) {
        char h = (char)peek();
        if (!((h >= '0' && h <= '9') || (h >= 'a' && h <= 'f') || (h >= 'A' && h <= 'F'))) return 0;
      }
    } else if (escaped != '"' && escaped != '\\' && escaped != '/' && escaped != 'b' && escaped != 'n' && escaped != 't') {
      return 0;
    }
  }
  return 0;
}

static int digits(void) {
  int start = at;
  while (peek() >= '0' && peek() <= '9') at++;
  return at - start;
}

static int number(void) {
  if (peek() == '-') at++;
  if (peek() == '0') at++;
  else if (!digits()) return 0;
  if (peek() == '.') {
    at++;
    if (!digits()) return 0;
  }
  if (peek() == 'e' || peek() == 'E') {
    at++;
    if (peek() == '+' || peek() == '-') at++;
    if (!digits()) return 0;
  }
  return 1;
}

static int word(const char* wanted) {
  for (; *wanted; wanted++, at++)
    if (peek() != *wanted) return 0;
  return 1;
}

static int validate(void) {
  char stack[4];
  int depth = 0;
  enum expect expect = kValue;
  while (at < size) {
    char c = (char)peek();
    if (c == ' ' || c == '\n') {
      at++;
      continue;
    }
    if (expect == kDone) return 0;
    if (expect == kColon) {
      if (c != ':') return 0;
      at++;
      expect = kValue;
    } else if (expect == kCommaOrEnd && c == ',') {
      at++;
      expect = stack[depth - 1] == '{' ? kKey : kValue;
    } else if (c == ']' || c == '}') {
      if (depth == 0 || expect == kValue || expect == kKey) return 0;
      if (stack[depth - 1] != (c == ']' ? '[' : '{')) return 0;
      at++;
      depth--;
      expect = depth ? kCommaOrEnd : kDone;
    } else if (expect == kKey || expect == kKeyOrEnd) {
      if (c != '"' || !string()) return 0;
      expect = kColon;
    } else if (expect == kCommaOrEnd) {
      return 0;
    } else if (c == '[' || c == '{') {
      if (depth == 4) return 0;
      stack[depth++] = c;
      at++;
      expect = c == '[' ? kValueOrEnd : kKeyOrEnd;
    } else {
      int good = c == '"' ? string() : c == 't' ? word("true") : c == 'n' ? word("null") : number();
      if (!good) return 0;
      expect = depth ? kCommaOrEnd : kDone;
    }
  }
  return expect == kDone;
}

int main(void) {
  char document[14];
  klee_make_symbolic(document, sizeof document, "document");
  text = document;
  while (size < 14 && document[size] != 0) size++;
  return validate();
}
