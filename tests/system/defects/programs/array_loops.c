// purpose: a field is copied up to its comma; a field without one does not end at the last place for it
// defect: array-out-of-bounds line 16
// input: text=hex:616161616161
#include <plumb/plumb.h>

int main(void) {
  char text[6], field[4] = {0};
  plumb_symbolic(text, sizeof text, "text");
  int used = 0;
#ifdef FIXED
  for (int i = 0; i < 6 && used < 4 && text[i] != ',' && text[i] != '\0'; ++i) {
#else
  for (int i = 0; i < 6 && text[i] != ',' && text[i] != '\0'; ++i) {
#endif
    if (text[i] == ' ') continue;
    field[used] = text[i];
    used++;
  }
  return field[0] == 'x';
}
