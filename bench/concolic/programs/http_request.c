// purpose: the head of an HTTP request: method, path, version and the headers that decide how long the body is
#include <plumb/plumb.h>
#include <string.h>

struct request {
  int method, minor, length, is_chunked, keep_alive, has_host;
};

static const char* skip(const char* p, const char* word) {
  while (*word)
    if (*p++ != *word++) return NULL;
  return p;
}

static const char* request_line(const char* p, struct request* r) {
  const char* q;
  if ((q = skip(p, "GET ")) != NULL) r->method = 1;
  else if ((q = skip(p, "PUT ")) != NULL) r->method = 2;
  else if ((q = skip(p, "HEAD ")) != NULL) r->method = 3;
  else return NULL;
  if (*q != '/') return NULL;
  int dots = 0, depth = 0;
  for (q++; *q != ' '; q++) {
    if (*q <= ' ') return NULL;
    dots = *q == '.' ? dots + 1 : 0;
    if (*q == '/') depth++;
    if (dots == 2 && --depth < 0) return NULL;
  }
  q = skip(q + 1, "HTTP/1.");
  if (q == NULL || (*q != '0' && *q != '1')) return NULL;
  r->minor = *q - '0';
  return q[1] == '\n' ? q + 2 : NULL;
}

static const char* header(const char* p, struct request* r) {
  const char* q;
  if ((q = skip(p, "Host:")) != NULL) {
    if (r->has_host++) return NULL;
  } else if ((q = skip(p, "Len:")) != NULL) {
    int n = 0;
    for (; *q >= '0' && *q <= '9'; q++) n = 10 * n + (*q - '0');
    if (n > 4096) return NULL;
    r->length = n;
  } else if ((q = skip(p, "TE:")) != NULL) {
    if (*q == 'c') r->is_chunked = 1;
    else return NULL;
  } else if ((q = skip(p, "Con:")) != NULL) {
    r->keep_alive = *q == 'k' ? 1 : *q == 'c' ? -1 : 0;
  } else {
    return NULL;
  }
  while (*q != '\n') {
    if (*q == 0) return NULL;
    q++;
  }
  return q + 1;
}

int main(void) {
  char text[41];
  struct request r = {.length = -1};
  plumb_symbolic(text, sizeof text - 1, "text");
  text[40] = 0;
  const char* p = request_line(text, &r);
  if (p == NULL) return 1;
  while (*p != '\n') {
    if (*p == 0) return 2;
    p = header(p, &r);
    if (p == NULL) return 3;
  }
  if (r.minor == 1 && !r.has_host) return 4;
  if (r.method == 2 && r.length < 0 && !r.is_chunked) return 5;
  plumb_check(!(r.is_chunked && r.length >= 0)); /* two lengths: the way into a smuggled request */
  if (r.keep_alive > 0 && r.minor == 0) return 6;
  return 0;
}
