/* The sequences that the description of the Flasher Manager gives, in one run each, cycle by cycle. Natively:
 *   cc sequences.c flasher.c -o sequences && ./sequences
 */
#include <stdio.h>

#include "flasher.h"

/* One cycle in which the named buttons and levers are pressed; the lights as two digits in a string. */
static const char* lights(const char* pressed) {
  static char shown[3];
  L = R = LK = ULK = W = F = FALSE;
  for (; *pressed; pressed++) {
    if (*pressed == 'l') L = TRUE;
    if (*pressed == 'r') R = TRUE;
    if (*pressed == 'w') W = TRUE;
    if (*pressed == 'f') F = TRUE;
    if (*pressed == 'L') LK = TRUE;
    if (*pressed == 'U') ULK = TRUE;
  }
  f1();
  shown[0] = outL ? '1' : '0';
  shown[1] = outR ? '1' : '0';
  return shown;
}

/* Prints a light over some cycles: the first with `first` pressed, the others with `then`. */
static void show(const char* what, const char* first, const char* then, int light, int cycles) {
  printf("%-28s ", what);
  for (int i = 0; i < cycles; i++) putchar(lights(i == 0 ? first : then)[light]);
  putchar('\n');
}

int main(void) {
  init();
  show("right", "fr", "fr", 1, 12);
  show("right, left is dark", "fr", "fr", 0, 12);
  show("released", "f", "f", 1, 3);
  show("left", "fl", "fl", 0, 13);
  show("released", "f", "f", 0, 3);
  show("warning", "fw", "f", 0, 12);
  show("warning beats right", "fr", "fr", 0, 3);
  show("warning off", "fwr", "fr", 1, 3);
  init();
  show("lock, locked", "L", "", 0, 63);
  show("unlock, locked", "U", "", 0, 24);
  show("unlock, unlocked", "U", "", 1, 5);
  show("lock, unlocked", "L", "", 1, 24);
  show("lock beats warning", "fwL", "f", 1, 8);
  return 0;
}
