// purpose: lines of Intel HEX with a checksum fill a memory of 64 bytes; an end record starts the program there
#include <assert.h>
#include <plumb/plumb.h>

static unsigned char memory[64];

static int nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static int byte_at(const char* p) {
  int high = nibble(p[0]), low = nibble(p[1]);
  return high < 0 || low < 0 ? -1 : high << 4 | low;
}

/* 0: go on, 1: the end; negative: an error */
static int load(const char* line) {
  unsigned char bytes[7];
  if (line[0] != ':') return -1;
  int count = byte_at(line + 1);
  if (count < 0) return -2;
  if (count > 2) return -3;
  unsigned char sum = 0;
  for (int i = 0; i < count + 5; i++) {
    int byte = byte_at(line + 1 + 2 * i);
    if (byte < 0) return -2;
    bytes[i] = (unsigned char)byte;
    sum = (unsigned char)(sum + byte);
  }
  if (sum != 0) return -4;
  int address = bytes[1] << 8 | bytes[2];
  switch (bytes[3]) {
    case 0:
      if (address + count > 64) return -5;
      for (int i = 0; i < count; i++) memory[address + i] = bytes[4 + i];
      return 0;
    case 1:
      return count == 0 ? 1 : -6;
    case 4:
      return count == 2 && address == 0 ? 0 : -7;
    default:
      return -8;
  }
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    char line[15];
    plumb_symbolic(line, sizeof line, "line");
    int status = load(line);
    if (status < 0) return -status;
    if (status == 1) {
      if (memory[0] == 0xea) assert(memory[1] != 0x90);
      return memory[0] ? 20 : 21;
    }
  }
  return 22;
}
