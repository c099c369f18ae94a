#include "parts.h"

static int hidden(int x) { return x * x; }

int count(void) {
  static int calls;
  tentative += 3;
  return ++calls;
}

int use_hidden(int x) { return hidden(x) + hidden(2); }
