// purpose: a recursive-descent calculator with variables; some expression divides by zero
#include <plumb/plumb.h>

static char text[10];
static int at, failed, variables[3];

static int expression(int depth);

static int primary(int depth) {
  char c = at < 10 ? text[at] : 0;
  if (c >= '0' && c <= '9') {
    int value = 0;
    while (at < 10 && text[at] >= '0' && text[at] <= '9' && value < 1000) value = 10 * value + (text[at++] - '0');
    return value;
  }
  if (c >= 'a' && c <= 'c') {
    at++;
    if (at < 10 && text[at] == '=') {
      at++;
      return variables[c - 'a'] = expression(depth + 1);
    }
    return variables[c - 'a'];
  }
  if (c == '(') {
    at++;
    int value = depth < 5 ? expression(depth + 1) : 0;
    if (at >= 10 || text[at] != ')') failed = 1;
    else at++;
    return value;
  }
  if (c == '-') {
    at++;
    return depth < 5 ? -primary(depth + 1) : 0;
  }
  failed = 1;
  return 0;
}

static int product(int depth) {
  int value = primary(depth);
  while (!failed && at < 10 && (text[at] == '*' || text[at] == '/' || text[at] == '%')) {
    char op = text[at++];
    int right = primary(depth);
    if (failed) break;
    if (op == '*') value = (int)((long)value * right % 10007);
    else if (op == '/' && right == 0) failed = 2;
    else if (op == '/') value /= right;
    else value %= right; /* not looked at, as it should be */
  }
  return value;
}

static int expression(int depth) {
  int value = product(depth);
  while (!failed && at < 10 && (text[at] == '+' || text[at] == '-')) {
    char op = text[at++];
    int right = product(depth);
    value = op == '+' ? value + right : value - right;
  }
  return value;
}

int main(void) {
  plumb_symbolic(text, sizeof text, "text");
  int value = expression(0);
  if (failed) return failed;
  if (at < 10 && text[at] != 0) return 3;
  if (value < 0) return 4;
  if (value > 255) return 5;
  return value == 42 ? 6 : 0;
}
