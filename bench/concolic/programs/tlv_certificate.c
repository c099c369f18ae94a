// purpose: nested fields of tag, length and value, as certificates have them; lengths must nest and a few tags are understood
#include <plumb/plumb.h>
#include <stdlib.h>

struct reader {
  const unsigned char* at;
  const unsigned char* end;
};

struct certificate {
  int version, serial, is_authority, path_length, names;
};

static int open_field(struct reader* r, int* tag, struct reader* inside) {
  if (r->end - r->at < 2) return 0;
  *tag = *r->at++;
  unsigned length = *r->at++;
  if (length == 0x81) {
    if (r->at == r->end) return 0;
    length = *r->at++;
    if (length < 0x80) return 0;
  } else if (length > 0x7f) {
    return 0;
  }
  if (length > (unsigned)(r->end - r->at)) return 0;
  inside->at = r->at;
  inside->end = r->at + length;
  r->at += length;
  return 1;
}

static int read_integer(struct reader* r, int* value) {
  if (r->at == r->end || r->end - r->at > 3) return 0;
  int n = *r->at & 0x80 ? -1 : 0;
  if (r->end - r->at > 1 && r->at[0] == 0 && !(r->at[1] & 0x80)) return 0;
  for (; r->at < r->end; r->at++) n = (int)((unsigned)n << 8 | *r->at);
  *value = n;
  return 1;
}

static int read_constraints(struct reader* r, struct certificate* c) {
  int tag;
  struct reader field;
  if (!open_field(r, &tag, &field) || tag != 1) return 0;
  if (field.end - field.at != 1) return 0;
  if (*field.at != 0 && *field.at != 0xff) return 0;
  c->is_authority = *field.at == 0xff;
  if (r->at == r->end) return 1;
  if (!open_field(r, &tag, &field) || tag != 2) return 0;
  return c->is_authority && read_integer(&field, &c->path_length);
}

int main(void) {
  unsigned char* bytes = malloc(20);
  if (bytes == NULL) return 1;
  plumb_symbolic(bytes, 20, "bytes");
  struct reader all = {bytes, bytes + 20}, body, field;
  struct certificate c = {0, 0, 0, -1, 0};
  int tag, status = 0;
  if (!open_field(&all, &tag, &body) || tag != 0x30) status = 2;
  while (status == 0 && body.at < body.end) {
    if (!open_field(&body, &tag, &field)) status = 3;
    else if (tag == 2 && !read_integer(&field, c.version == 0 ? &c.version : &c.serial)) status = 4;
    else if (tag == 0x13 && ++c.names > 2) status = 5;
    else if (tag == 0xa3 && !read_constraints(&field, &c)) status = 6;
    else if (tag != 2 && tag != 0x13 && tag != 0xa3) status = 7;
  }
  if (status == 0 && c.version != 2 && c.version != 1) status = 8;
  if (status == 0) plumb_check(!(c.is_authority && c.path_length == 0 && c.serial < 0));
  free(bytes);
  return status;
}
