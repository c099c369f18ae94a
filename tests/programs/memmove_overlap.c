// purpose: memmove with overlaps in both directions and of all small lengths, memcpy, memset, memcmp
#include <stdio.h>
#include <string.h>

static unsigned hash(const unsigned char *data, size_t size) {
  unsigned h = 2166136261u;
  for (size_t i = 0; i < size; ++i) h = (h ^ data[i]) * 16777619u;
  return h;
}

int main(void) {
  unsigned char bytes[40], reference[40];
  unsigned combined = 0;
  for (int length = 0; length <= 20; ++length) {
    for (int from = 0; from < 10; from += 3) {
      for (int to = 0; to < 10; ++to) {
        for (int i = 0; i < 40; ++i) bytes[i] = (unsigned char)(i * 7 + length);
        memcpy(reference, bytes, sizeof bytes);
        memmove(bytes + to, bytes + from, (size_t)length);
        for (int i = 0; i < length; ++i) {
          if (bytes[to + i] != reference[from + i]) return 1;
        }
        combined = combined * 31 + hash(bytes, sizeof bytes);
      }
    }
  }
  printf("%u\n", combined);
  int numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  memmove(numbers + 1, numbers, 7 * sizeof *numbers);
  for (int i = 0; i < 8; ++i) printf("%d ", numbers[i]);
  memmove(numbers, numbers + 3, 5 * sizeof *numbers);
  for (int i = 0; i < 8; ++i) printf("%d ", numbers[i]);
  memset(numbers, 0xff, 3 * sizeof(int) + 1);
  for (int i = 0; i < 4; ++i) printf("%d ", numbers[i]);
  printf("\n%d\n", memcmp(numbers, numbers + 1, 8) == 0);
  char text[] = "abcdefghij";
  memmove(text + 2, text, 5);
  puts(text);
  return 3;
}
