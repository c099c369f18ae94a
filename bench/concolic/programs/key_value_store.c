// purpose: commands on a hash table of short keys with open addressing and tombstones
#include <plumb/plumb.h>

enum { kSlots = 8 };
enum { kEmpty, kFull, kDead };

struct slot {
  unsigned char state, key[2], value;
};

static struct slot table[kSlots];
static int count;

static unsigned hash(const unsigned char* key) { return (unsigned)(key[0] * 7 + key[1]) % kSlots; }

static int find(const unsigned char* key, int for_insert) {
  unsigned at = hash(key);
  int grave = -1;
  for (int i = 0; i < kSlots; i++, at = (at + 1) % kSlots) {
    if (table[at].state == kEmpty) return for_insert ? (grave >= 0 ? grave : (int)at) : -1;
    if (table[at].state == kDead) {
      if (grave < 0) grave = (int)at;
      continue;
    }
    if (table[at].key[0] == key[0] && table[at].key[1] == key[1]) return (int)at;
  }
  return for_insert ? grave : -1;
}

int main(void) {
  int hits = 0;
  for (int i = 0; i < 6; i++) {
    unsigned char command[4];
    plumb_symbolic(command, sizeof command, "command");
    if (command[0] == 's') {
      int at = find(command + 1, 1);
      if (at < 0) return 1;
      if (table[at].state != kFull) count++;
      table[at].state = kFull;
      table[at].key[0] = command[1];
      table[at].key[1] = command[2];
      table[at].value = command[3];
    } else if (command[0] == 'g') {
      int at = find(command + 1, 0);
      if (at < 0) return 2;
      if (table[at].value == command[3]) hits++;
    } else if (command[0] == 'd') {
      int at = find(command + 1, 0);
      if (at < 0) return 3;
      table[at].state = kDead;
      count--;
    } else {
      break;
    }
    int full = 0;
    for (int s = 0; s < kSlots; s++) full += table[s].state == kFull;
    plumb_check(full == count);
  }
  if (hits == 2 && count == 1) return 4;
  return 0;
}
