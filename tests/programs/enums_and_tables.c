// purpose: enumerations with holes and negative values, constant tables, and a state machine over them
#include <stdio.h>

enum state { START, NUMBER, WORD, STATES };
enum level { LOW = -10, MIDDLE = 0, HIGH = 10, HIGHEST };
enum big { HUGE_VALUE = 0x7fffffff };
enum __attribute__((packed)) tiny { A, B, C };
enum input { DIGIT, LETTER, SPACE, INPUTS };

static const unsigned char next[STATES][INPUTS] = {
    [START] = {NUMBER, WORD, START},
    [NUMBER] = {NUMBER, WORD, START},
    [WORD] = {WORD, WORD, START},
};
static const char *const names[STATES] = {"start", "number", "word"};

static enum input classify(char c) { return c >= '0' && c <= '9' ? DIGIT : c == ' ' ? SPACE : LETTER; }

int main(void) {
  int visits[STATES] = {0};
  enum state state = START;
  for (const char *p = "12 abc 4d 5  x99 "; *p; ++p) {
    enum state to = next[state][classify(*p)];
    if (to == START && state != START) ++visits[state];
    state = to;
  }
  for (int i = 0; i < STATES; ++i) printf("%s %d\n", names[i], visits[i]);
  enum level level = LOW;
  int steps = 0;
  while (level < HIGHEST) {
    level += 3;
    ++steps;
  }
  printf("%d %d %zu %zu %d\n", level, steps, sizeof(enum tiny), sizeof(enum big), HUGE_VALUE);
  enum tiny list[] = {A, C, B};
  int code = 0;
  for (int i = 0; i < 3; ++i) code = code * 10 + (int)list[i];
  return code;
}
