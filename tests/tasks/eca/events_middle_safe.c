// An event system of 25 rules over 4 attributes, with 719 reachable valuations.
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int a0 = 38;
static int a1 = 4;
static int a2 = 19;
static int a3 = 5;

static void check_errors(void) {
  if (a0 == 7 && a1 == 9 && a2 == 32 && a3 == 11) reach_error();
  if (a0 == 9 && a1 == 39 && a2 == 32 && a3 == 11) reach_error();
  if (a0 == 9 && a1 == 14 && a2 == 19 && a3 == 5) reach_error();
  if (a0 == 9 && a1 == 7 && a2 == 19 && a3 == 6) reach_error();
  if (a0 == 38 && a1 == 33 && a2 == 19 && a3 == 11) reach_error();
  if (a0 == 25 && a1 == 14 && a2 == 4 && a3 == 17) reach_error();
  if (a0 == 20 && a1 == 33 && a2 == 19 && a3 == 6) reach_error();
  if (a0 == 35 && a1 == 3 && a2 == 22 && a3 == 11) reach_error();
  if (a0 == 27 && a1 == 4 && a2 == 19 && a3 == 5) reach_error();
  if (a0 == 12 && a1 == 5 && a2 == 22 && a3 == 11) reach_error();
}

static int calculate_output(int input) {
  check_errors();
  if (a0 == 38 && a1 == 4 && a2 == 19 && input == 3) {
    a1 = 39;
    a2 = (a2 + 7) % 17;
    return 21;
  }
  if (a1 == 4 && a2 == 19 && a3 == 5 && input == 1) {
    a0 = 23;
    a3 = 11;
    return 26;
  }
  if (a0 == 38 && input == 4) {
    a0 = 38;
    a1 = (a1 + 3) % 13;
    return 21;
  }
  if (a1 == 4 && input == 3) {
    a2 = 32;
    a3 = 6;
    return 26;
  }
  if (a0 == 38 && a2 == 9 && a3 == 5 && input == 1) {
    a2 = 22;
    return 25;
  }
  if (a0 == 38 && a2 == 9 && a3 == 5 && input == 4) {
    a1 = 15;
    return 21;
  }
  if (a2 == 19 && input == 1) {
    a0 = (a0 + 9) % 29;
    a3 = 11;
    return 21;
  }
  if (a0 == 38 && a1 == 2 && a2 == 9 && input == 1) {
    a2 = 22;
    return 24;
  }
  if (a0 == 38 && input == 1) {
    a0 = (a0 + 7) % 29;
    a1 = 15;
    return 26;
  }
  if (a2 == 19 && input == 3) {
    a1 = 14;
    a2 = 32;
    return 22;
  }
  if (a1 == 5 && a3 == 5 && input == 2) {
    a1 = 33;
    return 25;
  }
  if (a2 == 19 && input == 3) {
    a2 = (a2 + 4) % 29;
    return 24;
  }
  if (a0 == 38 && a1 == 9 && a3 == 5 && input == 4) {
    a2 = 14;
    a3 = (a3 + 7) % 13;
    return 22;
  }
  if (a1 == 7 && input == 4) {
    a2 = 22;
    return 25;
  }
  if (a0 == 7 && a1 == 2 && input == 2) {
    a0 = 23;
    a3 = 6;
    return 23;
  }
  if (a0 == 38 && input == 2) {
    a0 = (a0 + 8) % 17;
    a2 = 19;
    return 23;
  }
  if (a0 == 38 && a1 == 7 && input == 1) {
    a1 = 15;
    return 21;
  }
  if (a1 == 0 && input == 2) {
    a1 = 4;
    return 24;
  }
  if (a0 == 38 && input == 2) {
    a2 = 29;
    return 24;
  }
  if (a0 == 27 && input == 5) {
    a0 = 30;
    return 24;
  }
  if (a0 == 5 && a3 == 11 && input == 1) {
    a0 = (a0 + 9) % 13;
    return 22;
  }
  if (a1 == 11 && input == 3) {
    a0 = 35;
    a3 = 17;
    return 23;
  }
  if (a0 == 12 && a1 == 6 && input == 1) {
    a1 = (a1 + 8) % 17;
    a2 = 14;
    return 26;
  }
  if (a0 == 10 && a3 == 11 && input == 5) {
    a0 = 23;
    a2 = (a2 + 6) % 17;
    return 22;
  }
  if (a3 == 5 && input == 4) {
    a0 = 35;
    a3 = 5;
    return 20;
  }
  return -2;
}

int main(void) {
  int output = -1;
  while (1) {
    int input = __VERIFIER_nondet_int();
    if (input < 1 || input > 5) return -2;
    output = calculate_output(input);
    if (output == -2) printf("invalid input: %d\n", input);
    else printf("%d\n", output);
  }
}
