// purpose: frames of a field bus with a CRC of 16 bits: registers are read and written only if it is right
#include <plumb/plumb.h>

static unsigned short registers[16];

static unsigned short crc16(const unsigned char* data, int length) {
  unsigned short crc = 0xffff;
  for (int i = 0; i < length; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? (unsigned short)(crc >> 1 ^ 0xa001) : (unsigned short)(crc >> 1);
  }
  return crc;
}

static int exception(int code) { return 0x80 | code; }

static int handle(const unsigned char* frame) {
  unsigned address = (unsigned)frame[2] << 8 | frame[3];
  unsigned value = (unsigned)frame[4] << 8 | frame[5];
  switch (frame[1]) {
    case 3:
      if (value == 0 || value > 8) return exception(3);
      if (address + value > 16) return exception(2);
      for (unsigned i = 0; i < value; i++)
        if (registers[address + i] != 0) return (int)i + 1;
      return 0;
    case 6:
      if (address >= 16) return exception(2);
      if (address == 15 && value != 0x1234) return exception(3);
      registers[address] = (unsigned short)value;
      return 0;
    case 5:
      if (value != 0 && value != 0xff00) return exception(3);
      if (address > 16) return exception(2); /* one too far */
      registers[address] = value ? 1 : 0;
      return 0;
    default:
      return exception(1);
  }
}

int main(void) {
  int answers = 0;
  for (int i = 0; i < 3; i++) {
    unsigned char frame[8];
    plumb_symbolic(frame, sizeof frame, "frame");
    if (frame[0] != 17 && frame[0] != 0) continue;
    unsigned short crc = crc16(frame, 6);
    if (frame[6] != (crc & 0xff) || frame[7] != crc >> 8) continue;
    int answer = handle(frame);
    if (frame[0] == 0 && frame[1] == 3) return 1;
    if (answer & 0x80) return answer;
    answers++;
  }
  if (registers[15] == 0x1234 && registers[3] == 1) return 2;
  return answers;
}
