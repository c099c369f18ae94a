// purpose: a small allocator with a list of free blocks in an array, driven by requests; blocks are split and joined
#include <assert.h>
#include <plumb/plumb.h>

enum { kSize = 64, kBlocks = 12 };

struct block {
  int start, size, is_free, next;
};

static struct block blocks[kBlocks] = {{0, kSize, 1, -1}};
static int used = 1;

static int allocate(int size) {
  int best = -1;
  for (int i = 0; i >= 0; i = blocks[i].next)
    if (blocks[i].is_free && blocks[i].size >= size && (best < 0 || blocks[i].size < blocks[best].size)) best = i;
  if (best < 0) return -1;
  if (blocks[best].size > size) {
    if (used == kBlocks) return -2;
    struct block rest = {blocks[best].start + size, blocks[best].size - size, 1, blocks[best].next};
    blocks[used] = rest;
    blocks[best].size = size;
    blocks[best].next = used++;
  }
  blocks[best].is_free = 0;
  return best;
}

static int release(int b) {
  if (b < 0 || b >= used || blocks[b].is_free) return -1;
  blocks[b].is_free = 1;
  int next = blocks[b].next;
  if (next >= 0 && blocks[next].is_free) {
    blocks[b].size += blocks[next].size;
    blocks[b].next = blocks[next].next;
    blocks[next].is_free = 0; /* an unused entry */
    blocks[next].size = 0;
  }
  return 0;
}

int main(void) {
  int owned[4] = {-1, -1, -1, -1}, failures = 0;
  for (int i = 0; i < 8; i++) {
    unsigned char operation = plumb_nondet_uchar(), argument = plumb_nondet_uchar();
    int slot = operation & 3;
    if (operation < 4) {
      if (owned[slot] >= 0) return 1;
      if (argument == 0 || argument > kSize) return 2;
      int b = allocate(argument);
      if (b < 0) {
        if (++failures == 2) return 3;
      } else {
        owned[slot] = b;
      }
    } else if (operation < 8) {
      if (release(owned[slot]) < 0) return 4;
      owned[slot] = -1;
    } else {
      break;
    }
    int total = 0, free_blocks = 0;
    for (int b = 0; b >= 0; b = blocks[b].next) {
      total += blocks[b].size;
      free_blocks += blocks[b].is_free;
    }
    assert(total == kSize);
    if (free_blocks == 3) return 5;
  }
  return 0;
}
