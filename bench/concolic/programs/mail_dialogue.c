// purpose: the commands of a mail server: words are compared, an order is kept, recipients are counted
#include <plumb/plumb.h>
#include <string.h>

enum phase { kGreeting, kReady, kFrom, kRecipients, kData };

struct mail {
  enum phase phase;
  int recipients, failures, bytes, is_extended;
};

static int starts(const char* line, const char* word) { return strncmp(line, word, strlen(word)) == 0; }

static int address_is_good(const char* p) {
  int ats = 0, length = 0;
  if (*p++ != '<') return 0;
  for (; *p && *p != '>'; p++, length++) {
    if (*p == '@') ats++;
    else if (!((*p >= 'a' && *p <= 'z') || *p == '.')) return 0;
  }
  return *p == '>' && ats <= 1 && (length > 0 || ats == 0);
}

static int command(struct mail* m, const char* line) {
  if (starts(line, "QUIT")) return 221;
  if (starts(line, "NOOP")) return 250;
  if (starts(line, "RSET")) {
    if (m->phase > kReady) m->phase = kReady;
    m->recipients = 0;
    return 250;
  }
  switch (m->phase) {
    case kGreeting:
      if (starts(line, "HELO")) return m->phase = kReady, 250;
      if (starts(line, "EHLO")) return m->phase = kReady, m->is_extended = 1, 250;
      return 503;
    case kReady:
      if (!starts(line, "MAIL")) return 503;
      if (!address_is_good(line + 4)) return 501;
      m->phase = kFrom;
      return 250;
    case kFrom:
    case kRecipients:
      if (starts(line, "RCPT")) {
        if (!address_is_good(line + 4)) return 501;
        if (line[5] == '>') return 550;
        if (++m->recipients > 2) return 452;
        m->phase = kRecipients;
        return 250;
      }
      if (starts(line, "DATA")) {
        if (m->phase == kFrom) return 554;
        m->phase = kData;
        return 354;
      }
      return 503;
    case kData:
      if (line[0] == '.' && line[1] == 0) {
        plumb_check(!(m->is_extended && m->recipients == 2 && m->bytes == 0));
        m->phase = kReady;
        m->recipients = m->bytes = 0;
        return 250;
      }
      m->bytes += (int)strlen(line);
      return 0;
  }
  return 500;
}

int main(void) {
  struct mail mail = {kGreeting, 0, 0, 0, 0};
  for (;;) {
    char line[10];
    plumb_symbolic(line, sizeof line - 1, "line");
    line[9] = 0;
    int code = command(&mail, line);
    if (code == 221) return 0;
    if (code >= 500 && ++mail.failures == 5) return 1;
  }
}
