// purpose: a broker's side of a session: packets come as type and length and body, and only some orders are allowed
#include <plumb/plumb.h>
#include <string.h>

enum { kConnect = 1, kPublish = 3, kPublishAck = 4, kSubscribe = 8, kUnsubscribe = 10, kPing = 12, kDisconnect = 14 };

struct session {
  int connected, subscriptions, keep_alive, awaiting_ack, delivered;
  unsigned short last_id;
};

static unsigned number(const unsigned char* p) { return (unsigned)p[0] << 8 | p[1]; }

static int on_connect(struct session* s, const unsigned char* body, unsigned length) {
  if (s->connected) return -1;
  if (length < 8 || number(body) != 4 || memcmp(body + 2, "MQTT", 4) != 0) return -2;
  if (body[6] != 4) return -3;
  s->connected = 1;
  s->keep_alive = body[7];
  return 0;
}

static int on_publish(struct session* s, unsigned flags, const unsigned char* body, unsigned length) {
  unsigned quality = flags >> 1 & 3;
  if (quality == 3 || length < 3) return -1;
  unsigned topic = number(body);
  if (topic == 0 || topic + 2 > length) return -2;
  for (unsigned i = 0; i < topic; i++)
    if (body[2 + i] == '#' || body[2 + i] == '+') return -3;
  if (quality > 0) {
    if (topic + 4 > length) return -4;
    unsigned short id = (unsigned short)number(body + 2 + topic);
    if (id == 0) return -5;
    if ((flags & 8) && id == s->last_id) return 0;
    s->last_id = id;
    s->awaiting_ack++;
  }
  if (s->subscriptions > 0) s->delivered++;
  return 0;
}

static int on_subscribe(struct session* s, const unsigned char* body, unsigned length) {
  if (length < 5 || number(body) == 0) return -1;
  unsigned topic = number(body + 2);
  if (topic + 5 != length) return -2;
  if (body[length - 1] > 2) return -3;
  if (++s->subscriptions > 2) return -4;
  return 0;
}

int main(void) {
  struct session s = {0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 6; i++) {
    unsigned char head = plumb_nondet_uchar();
    unsigned char length = plumb_nondet_uchar();
    unsigned char body[10];
    if (length > sizeof body) return 1;
    plumb_symbolic(body, sizeof body, "body");
    unsigned type = head >> 4, flags = head & 15;
    if (!s.connected && type != kConnect) return 2;
    int status = -9;
    if (type == kConnect && flags == 0) status = on_connect(&s, body, length);
    else if (type == kPublish) status = on_publish(&s, flags, body, length);
    else if (type == kSubscribe && flags == 2) status = on_subscribe(&s, body, length);
    else if (type == kPublishAck && length == 2) status = s.awaiting_ack-- > 0 ? 0 : -8;
    else if (type == kUnsubscribe && flags == 2) status = s.subscriptions > 0 ? (s.subscriptions--, 0) : -7;
    else if (type == kPing && length == 0) status = 0;
    else if (type == kDisconnect) break;
    if (status < 0) return 10 - status;
    plumb_check(s.delivered < 2 || s.keep_alive != 0);
  }
  return s.awaiting_ack > 0 ? 3 : 0;
}
