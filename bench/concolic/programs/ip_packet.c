// purpose: an IP packet with options and the Internet checksum is checked and filtered by rules
#include <plumb/plumb.h>

struct rule {
  unsigned network, mask;
  unsigned char protocol, accept;
};

static const struct rule rules[] = {
    {0x0a000000, 0xff000000, 6, 1}, {0xc0a80100, 0xffffff00, 17, 1}, {0x7f000000, 0xff000000, 0, 0}, {0, 0, 1, 1}};

static unsigned short checksum(const unsigned char* p, int size) {
  unsigned sum = 0;
  for (int i = 0; i < size; i += 2) sum += (unsigned)p[i] << 8 | p[i + 1];
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return (unsigned short)~sum;
}

static int options(const unsigned char* p, int size) {
  int routes = 0;
  for (int i = 0; i < size;) {
    if (p[i] == 0) break;
    if (p[i] == 1) {
      i++;
      continue;
    }
    if (i + 1 == size || p[i + 1] < 2 || i + p[i + 1] > size) return -1;
    if (p[i] == 131 || p[i] == 137) routes++;
    i += p[i + 1];
  }
  return routes;
}

int main(void) {
  unsigned char packet[28];
  plumb_symbolic(packet, sizeof packet, "packet");
  if (packet[0] >> 4 != 4) return 1;
  int header = 4 * (packet[0] & 15);
  if (header < 20 || header > (int)sizeof packet) return 2;
  int total = packet[2] << 8 | packet[3];
  if (total < header || total > (int)sizeof packet) return 3;
  if (checksum(packet, header) != 0) return 4;
  if (packet[8] == 0) return 5;
  int routes = options(packet + 20, header - 20);
  if (routes < 0) return 6;
  if (routes > 0) return 7;
  unsigned source = (unsigned)packet[12] << 24 | (unsigned)packet[13] << 16 | (unsigned)packet[14] << 8 | packet[15];
  for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
    if ((source & rules[i].mask) != rules[i].network) continue;
    if (rules[i].protocol != 0 && rules[i].protocol != packet[9]) continue;
    if (!rules[i].accept) return 8;
    int is_fragment = (packet[6] & 0x3f) != 0 || packet[7] != 0;
    plumb_check(!(is_fragment && packet[9] == 17 && header == 24));
    return is_fragment ? 9 : 10;
  }
  return 0;
}
