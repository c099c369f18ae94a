// An event system of 12 rules over 3 attributes, with 95 reachable valuations.
// Fails with: 2 2 2 2 4 4 4 4 4 4 4 4 4 4 4 1
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int a0 = 10;
static int a1 = 23;
static int a2 = 35;

static void check_errors(void) {
  if (a0 == 12 && a1 == 5 && a2 == 3) reach_error();
  if (a0 == 11 && a1 == 0 && a2 == 35) reach_error();
  if (a0 == 10 && a1 == 5 && a2 == 14) reach_error();
  if (a0 == 11 && a1 == 0 && a2 == 2) reach_error();
  if (a0 == 11 && a1 == 0 && a2 == 35) reach_error();
  if (a0 == 12 && a1 == 5 && a2 == 35) reach_error();
}

static int calculate_output(int input) {
  check_errors();
  if (a2 == 35 && input == 2) {
    a1 = (a1 + 4) % 13;
    return 21;
  }
  if (a1 == 23 && a2 == 35 && input == 4) {
    a1 = 33;
    return 21;
  }
  if (a0 == 10 && input == 4) {
    a0 = (a0 + 1) % 29;
    a2 = (a2 + 8) % 29;
    return 21;
  }
  if (a2 == 14 && input == 3) {
    a2 = 6;
    return 24;
  }
  if (a1 == 5 && a2 == 6 && input == 3) {
    a0 = 26;
    return 21;
  }
  if (a1 == 5 && a2 == 6 && input == 1) {
    a0 = 12;
    a2 = (a2 + 5) % 29;
    return 25;
  }
  if (a1 == 1 && input == 3) {
    a2 = 6;
    return 23;
  }
  if (a1 == 0 && input == 4) {
    a2 = (a2 + 4) % 13;
    return 25;
  }
  if (a0 == 10 && a2 == 35 && input == 2) {
    a0 = 30;
    a2 = (a2 + 8) % 13;
    return 21;
  }
  if (a0 == 10 && input == 3) {
    a0 = 10;
    return 20;
  }
  if (a0 == 11 && a1 == 12 && input == 4) {
    a1 = 28;
    a2 = 6;
    return 21;
  }
  if (a1 == 5 && input == 1) {
    a2 = (a2 + 7) % 17;
    return 21;
  }
  return -2;
}

int main(void) {
  int output = -1;
  while (1) {
    int input = __VERIFIER_nondet_int();
    if (input < 1 || input > 4) return -2;
    output = calculate_output(input);
    if (output == -2) printf("invalid input: %d\n", input);
    else printf("%d\n", output);
  }
}
