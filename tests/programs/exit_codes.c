// purpose: only the low eight bits of an exit code are seen, and buffered output appears
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  printf("no newline at the end");
  exit(-3);
}
