// purpose: an assembly instruction is refused by name where it is reached, and only there
// expect: unsupported assembly
#include <stdio.h>

static int bit_scan(int x) {
  int result;
  __asm__("bsfl %1, %0" : "=r"(result) : "r"(x));
  return result;
}

int main(int argc, char **argv) {
  (void)argv;
  puts("before");
  if (argc > 5) bit_scan(argc);
  puts("still here");
  fflush(stdout);
  return bit_scan(8);
}
