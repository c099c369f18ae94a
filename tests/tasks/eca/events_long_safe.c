// An event system of 60 rules over 3 attributes, with 43 reachable valuations.
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int a0 = 2;
static int a1 = 8;
static int a2 = 20;

static void check_errors(void) {
  if (a0 == 2 && a1 == 5 && a2 == 4) reach_error();
  if (a0 == 2 && a1 == 5 && a2 == 8) reach_error();
  if (a0 == 2 && a1 == 5 && a2 == 11) reach_error();
  if (a0 == 2 && a1 == 5 && a2 == 0) reach_error();
  if (a0 == 2 && a1 == 24 && a2 == 28) reach_error();
  if (a0 == 2 && a1 == 8 && a2 == 28) reach_error();
  if (a0 == 2 && a1 == 24 && a2 == 28) reach_error();
  if (a0 == 2 && a1 == 24 && a2 == 28) reach_error();
  if (a0 == 2 && a1 == 24 && a2 == 28) reach_error();
  if (a0 == 2 && a1 == 24 && a2 == 28) reach_error();
  if (a0 == 2 && a1 == 24 && a2 == 28) reach_error();
  if (a0 == 2 && a1 == 24 && a2 == 20) reach_error();
}

static int calculate_output(int input) {
  check_errors();
  if (a0 == 2 && input == 1) {
    a1 = 5;
    a2 = 28;
    return 26;
  }
  if (a2 == 28 && input == 3) {
    a1 = 24;
    a2 = 3;
    return 21;
  }
  if (a0 == 2 && a2 == 28 && input == 1) {
    a0 = 13;
    a2 = (a2 + 2) % 13;
    return 26;
  }
  if (a0 == 2 && input == 2) {
    a1 = 21;
    return 25;
  }
  if (a0 == 2 && a2 == 28 && input == 3) {
    a0 = 5;
    a1 = (a1 + 8) % 29;
    return 24;
  }
  if (a2 == 3 && input == 2) {
    a1 = 24;
    return 23;
  }
  if (a0 == 2 && input == 3) {
    a2 = (a2 + 5) % 13;
    return 26;
  }
  if (a2 == 20 && input == 1) {
    a1 = 24;
    return 23;
  }
  if (a0 == 2 && input == 3) {
    a0 = (a0 + 4) % 13;
    return 26;
  }
  if (a2 == 9 && input == 3) {
    a1 = 24;
    return 24;
  }
  if (a0 == 2 && a1 == 21 && input == 3) {
    a0 = 22;
    return 20;
  }
  if (a2 == 5 && input == 1) {
    a0 = 9;
    return 23;
  }
  if (a0 == 2 && a1 == 21 && input == 1) {
    a2 = 19;
    return 23;
  }
  if (a2 == 28 && input == 1) {
    a0 = (a0 + 9) % 17;
    a1 = (a1 + 3) % 13;
    return 23;
  }
  if (a0 == 2 && a2 == 11 && input == 1) {
    a0 = 13;
    a2 = (a2 + 9) % 17;
    return 22;
  }
  if (a1 == 21 && input == 2) {
    a1 = 26;
    return 23;
  }
  if (a2 == 5 && input == 1) {
    a0 = 15;
    return 24;
  }
  if (a2 == 7 && input == 3) {
    a0 = 26;
    a1 = 5;
    return 25;
  }
  if (a0 == 2 && input == 1) {
    a2 = (a2 + 6) % 13;
    return 25;
  }
  if (a1 == 5 && a2 == 28 && input == 1) {
    a0 = (a0 + 5) % 13;
    return 25;
  }
  if (a0 == 2 && input == 1) {
    a0 = (a0 + 6) % 29;
    a2 = (a2 + 3) % 29;
    return 26;
  }
  if (a1 == 8 && a2 == 6 && input == 3) {
    a1 = 8;
    a2 = 29;
    return 25;
  }
  if (a1 == 24 && input == 3) {
    a0 = 1;
    a2 = 2;
    return 25;
  }
  if (a1 == 8 && input == 2) {
    a1 = (a1 + 9) % 13;
    return 24;
  }
  if (a1 == 8 && input == 3) {
    a1 = (a1 + 2) % 17;
    return 25;
  }
  if (a0 == 2 && a2 == 8 && input == 2) {
    a1 = 8;
    return 22;
  }
  if (a1 == 8 && input == 1) {
    a0 = 39;
    return 20;
  }
  if (a0 == 2 && input == 1) {
    a0 = (a0 + 6) % 29;
    a2 = 27;
    return 21;
  }
  if (a0 == 2 && input == 3) {
    a0 = 4;
    return 22;
  }
  if (a2 == 11 && input == 1) {
    a1 = 5;
    return 24;
  }
  if (a1 == 24 && input == 1) {
    a0 = (a0 + 9) % 17;
    a2 = 19;
    return 26;
  }
  if (a2 == 0 && input == 3) {
    a2 = 4;
    return 21;
  }
  if (a1 == 5 && input == 1) {
    a0 = 13;
    a2 = 19;
    return 25;
  }
  if (a1 == 8 && a2 == 12 && input == 1) {
    a0 = 5;
    a2 = 2;
    return 20;
  }
  if (a0 == 2 && a2 == 4 && input == 3) {
    a0 = 22;
    a1 = 4;
    return 26;
  }
  if (a0 == 2 && input == 3) {
    a1 = 17;
    return 26;
  }
  if (a0 == 2 && input == 3) {
    a2 = 16;
    return 20;
  }
  if (a2 == 8 && input == 2) {
    a1 = 4;
    a2 = 12;
    return 20;
  }
  if (a0 == 2 && input == 3) {
    a1 = 11;
    return 20;
  }
  if (a1 == 21 && a2 == 9 && input == 3) {
    a0 = (a0 + 4) % 17;
    return 22;
  }
  if (a0 == 2 && input == 1) {
    a1 = 20;
    return 22;
  }
  if (a0 == 2 && a2 == 8 && input == 3) {
    a0 = 13;
    return 24;
  }
  if (a0 == 2 && input == 2) {
    a2 = 12;
    return 25;
  }
  if (a2 == 11 && input == 1) {
    a0 = 22;
    a1 = 5;
    return 24;
  }
  if (a0 == 2 && input == 3) {
    a1 = (a1 + 8) % 13;
    return 23;
  }
  if (a0 == 2 && a1 == 8 && input == 2) {
    a2 = 12;
    return 24;
  }
  if (a1 == 24 && input == 3) {
    a0 = (a0 + 4) % 13;
    a1 = (a1 + 4) % 17;
    return 21;
  }
  if (a0 == 2 && a1 == 24 && input == 1) {
    a1 = (a1 + 1) % 13;
    a2 = 27;
    return 21;
  }
  if (a2 == 10 && input == 1) {
    a0 = 30;
    return 23;
  }
  if (a0 == 2 && a1 == 8 && input == 2) {
    a1 = 6;
    return 24;
  }
  if (a0 == 2 && a1 == 21 && input == 3) {
    a2 = (a2 + 8) % 29;
    return 21;
  }
  if (a1 == 24 && input == 2) {
    a2 = (a2 + 9) % 17;
    return 22;
  }
  if (a0 == 2 && input == 3) {
    a0 = 4;
    a2 = 2;
    return 22;
  }
  if (a0 == 2 && a2 == 2 && input == 2) {
    a0 = 5;
    a1 = 17;
    return 24;
  }
  if (a0 == 2 && a1 == 24 && input == 3) {
    a0 = 5;
    a2 = (a2 + 6) % 29;
    return 25;
  }
  if (a0 == 2 && a2 == 8 && input == 2) {
    a1 = (a1 + 8) % 29;
    return 24;
  }
  if (a1 == 8 && a2 == 8 && input == 2) {
    a0 = (a0 + 1) % 17;
    a1 = (a1 + 9) % 13;
    return 25;
  }
  if (a1 == 8 && input == 1) {
    a1 = 11;
    a2 = 19;
    return 26;
  }
  if (a1 == 8 && a2 == 12 && input == 1) {
    a0 = (a0 + 7) % 13;
    return 24;
  }
  if (a1 == 24 && a2 == 4 && input == 1) {
    a1 = (a1 + 3) % 17;
    a2 = 17;
    return 20;
  }
  return -2;
}

int main(void) {
  int output = -1;
  while (1) {
    int input = __VERIFIER_nondet_int();
    if (input < 1 || input > 3) return -2;
    output = calculate_output(input);
    if (output == -2) printf("invalid input: %d\n", input);
    else printf("%d\n", output);
  }
}
