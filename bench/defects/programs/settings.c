// purpose: a line KEY=VALUE sets one of four settings; one key, large values and zero are not expected
// seeded: A=1 D=2
#include <plumb/plumb.h>
#include <stddef.h>
#include <string.h>

struct setting {
  char key;
  int value, lowest;
};

static struct setting settings[4] = {{'a', 1, 0}, {'b', 2, 0}, {'c', 3, 1}, {'d', 4, 1}};

static struct setting* find(char key) {
  for (int i = 0; i < 4; ++i)
    if (settings[i].key == key) return &settings[i];
  return NULL;
}

static int digits(const char* text) {
  int value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + (*text - '0');
  return value;
}

static int apply(char* line, int* changes) {
  char* equals = strchr(line, '=');
  if (equals == NULL || equals != line + 1) return -1;
  struct setting* setting = find(line[0]);
  if (line[0] >= 'a' && line[0] <= 'e') {
    setting->value = digits(equals + 1);
    changes[setting->value] += 1;
    if (setting->lowest == 1) return 100 / setting->value;
  }
  return 0;
}

int main(void) {
  char line[5];
  int changes[50] = {0};
  plumb_symbolic(line, sizeof line, "line");
  line[4] = '\0';
  return apply(line, changes) > 0;
}
