// Records that are updated through pointers; with SHARED one of their fields holds the input.
#include "overhead.h"

enum { kCount = 64, kRounds = 800000 };

struct account {
  unsigned owner;
  int balance;
  unsigned moves;
  unsigned short fee, kind;
};

static struct account accounts[kCount];

static void move(struct account *from, struct account *to, int amount) {
  if (from->balance < amount) amount = from->balance / 2;
  from->balance -= amount + from->fee;
  to->balance += amount;
  from->moves++;
  to->moves++;
  if (from->kind == 2 && from->balance < 0) from->balance = 1000;
}

static unsigned work(unsigned start, unsigned input) {
  unsigned sum = 0;
  for (unsigned i = 0; i < kCount; i++) {
    struct account fresh = {i + input, 1000, 0, (unsigned short)(i & 1), (unsigned short)(start + (i & 3))};
    accounts[i] = fresh;
  }
  for (unsigned round = 0; round < kRounds; round++)
    for (unsigned i = 0; i < kCount; i += 2) move(&accounts[i], &accounts[(i + round) % kCount], (int)(i + 5));
  for (unsigned i = 0; i < kCount; i++) sum += (unsigned)accounts[i].balance + accounts[i].moves;
  return sum;
}
