// purpose: an inner function registers the buffer of the outer one, and the buffer is flushed after both are gone
// defect: use-after-return line 22
// input: length=3
#include <plumb/plumb.h>
#include <stddef.h>

static char* pending;

static void keep(char* buffer) { pending = buffer; }

static void send(unsigned length) {
  char buffer[8] = "abcdefg";
  buffer[length % 8] = '!';
  if (length >= 3) keep(buffer);
#ifdef FIXED
  pending = NULL;
#endif
}

static int flush(void) {
  if (pending == NULL) return 0;
  int first = pending[0];
  pending = NULL;
  return first == 'a';
}

int main(void) {
  send(plumb_symbolic_uint("length"));
  return flush();
}
