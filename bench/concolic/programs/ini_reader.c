// purpose: a reader of settings in sections: names are compared, values converted and checked against each other
#include <plumb/plumb.h>
#include <string.h>

struct config {
  int port, timeout, retries, has_tls, section;
};

static int parse_number(const char* s, int* value) {
  int n = 0, digits = 0;
  for (; *s >= '0' && *s <= '9'; s++, digits++) {
    n = 10 * n + (*s - '0');
    if (n > 99999) return 0;
  }
  *value = n;
  return digits > 0 && *s == 0;
}

static int parse_bool(const char* s, int* value) {
  if (strcmp(s, "on") == 0 || strcmp(s, "yes") == 0) return *value = 1;
  if (strcmp(s, "off") == 0 || strcmp(s, "no") == 0) return *value = 0, 1;
  return 0;
}

static int set(struct config* c, const char* name, const char* value) {
  if (c->section == 1) {
    if (strcmp(name, "port") == 0) return parse_number(value, &c->port) && c->port > 0 && c->port < 65536;
    if (strcmp(name, "tls") == 0) return parse_bool(value, &c->has_tls);
    return 0;
  }
  if (c->section == 2) {
    if (strcmp(name, "wait") == 0) return parse_number(value, &c->timeout);
    if (strcmp(name, "try") == 0) return parse_number(value, &c->retries) && c->retries <= 10;
  }
  return 0;
}

static int read_line(struct config* c, char* line) {
  if (line[0] == 0 || line[0] == '#') return 1;
  if (line[0] == '[') {
    if (strcmp(line, "[net]") == 0) c->section = 1;
    else if (strcmp(line, "[time]") == 0) c->section = 2;
    else return 0;
    return 1;
  }
  char* equals = strchr(line, '=');
  if (equals == NULL) return 0;
  *equals = 0;
  return set(c, line, equals + 1);
}

int main(void) {
  struct config config = {.port = 80, .timeout = 30, .retries = 3};
  for (int i = 0; i < 4; i++) {
    char line[12];
    plumb_symbolic(line, sizeof line - 1, "line");
    line[11] = 0;
    if (!read_line(&config, line)) return i + 1;
  }
  if (config.has_tls && config.port == 80) return 10;
  if (config.retries > 0 && config.timeout == 0) return 11;
  plumb_check(config.retries * config.timeout < 90000);
  return 0;
}
