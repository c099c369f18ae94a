// purpose: a message of numbered fields with numbers of variable length, zigzag signs and a nested part
#include <klee/klee.h>

struct cursor {
  const unsigned char* at;
  const unsigned char* end;
  int failed;
};

struct order {
  unsigned id, quantity;
  int price;
  unsigned flags, seen;
};

static unsigned long varint(struct cursor* c) {
  unsigned long value = 0;
  for (int shift = 0; shift < 35; shift += 7) {
    if (c->at == c->end) break;
    unsigned char byte = *c->at++;
    value |= (unsigned long)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return value;
  }
  c->failed = 1;
  return 0;
}

static int zigzag(unsigned long n) { return (int)(n >> 1) ^ -(int)(n & 1); }

static void order(struct cursor* c, struct order* o, int depth) {
  while (!c->failed && c->at < c->end) {
    unsigned long key = varint(c);
    unsigned field = (unsigned)(key >> 3), kind = (unsigned)key & 7;
    if (c->failed) return;
    if (kind == 0) {
      unsigned long value = varint(c);
      if (field == 1) o->id = (unsigned)value;
      else if (field == 2) o->quantity = (unsigned)value;
      else if (field == 3) o->price = zigzag(value);
      else if (field == 0) c->failed = 2;
      if (field < 32) o->seen |= 1u << field;
    } else if (kind == 2) {
      unsigned long length = varint(c);
      if (length > (unsigned long)(c->end - c->at)) {
        c->failed = 3;
        return;
      }
      if (field == 4 && depth < 2) {
        struct cursor inner = {c->at, c->at + length, 0};
        order(&inner, o, depth + 1);
        if (inner.failed) c->failed = inner.failed;
        o->flags |= 1u << depth;
      }
      c->at += length;
    } else if (kind == 5) {
      if (c->end - c->at < 4) c->failed = 4;
      else c->at += 4;
    } else {
      c->failed = 5;
    }
  }
}

int main(void) {
  unsigned char bytes[12];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  struct cursor c = {bytes, bytes + sizeof bytes, 0};
  struct order o = {0, 0, 0, 0, 0};
  order(&c, &o, 0);
  if (c.failed) return c.failed;
  if ((o.seen & 6) != 6) return 6;
  if (o.price < 0 && o.quantity > 100) return 7;
  klee_assert(!(o.flags == 3 && o.id == 300));
  return 0;
}
