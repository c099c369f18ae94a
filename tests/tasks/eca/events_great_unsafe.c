// An event system of 70 rules over 4 attributes, with 6198 reachable valuations.
// Fails with: 5 6 1 4 2 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 2 4 4 4 4 4 6 1
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int a0 = 38;
static int a1 = 37;
static int a2 = 10;
static int a3 = 25;

static void check_errors(void) {
  if (a0 == 19 && a1 == 37 && a2 == 6 && a3 == 12) reach_error();
  if (a0 == 1 && a1 == 10 && a2 == 26 && a3 == 20) reach_error();
  if (a0 == 9 && a1 == 7 && a2 == 0 && a3 == 20) reach_error();
  if (a0 == 15 && a1 == 37 && a2 == 8 && a3 == 20) reach_error();
  if (a0 == 27 && a1 == 13 && a2 == 6 && a3 == 4) reach_error();
  if (a0 == 10 && a1 == 37 && a2 == 3 && a3 == 2) reach_error();
  if (a0 == 10 && a1 == 22 && a2 == 2 && a3 == 4) reach_error();
  if (a0 == 34 && a1 == 6 && a2 == 13 && a3 == 25) reach_error();
  if (a0 == 13 && a1 == 7 && a2 == 23 && a3 == 32) reach_error();
  if (a0 == 24 && a1 == 37 && a2 == 14 && a3 == 32) reach_error();
  if (a0 == 16 && a1 == 37 && a2 == 11 && a3 == 20) reach_error();
  if (a0 == 4 && a1 == 23 && a2 == 23 && a3 == 20) reach_error();
  if (a0 == 34 && a1 == 16 && a2 == 6 && a3 == 4) reach_error();
  if (a0 == 7 && a1 == 11 && a2 == 23 && a3 == 32) reach_error();
  if (a0 == 25 && a1 == 6 && a2 == 1 && a3 == 4) reach_error();
  if (a0 == 38 && a1 == 2 && a2 == 26 && a3 == 25) reach_error();
  if (a0 == 19 && a1 == 6 && a2 == 28 && a3 == 25) reach_error();
  if (a0 == 20 && a1 == 12 && a2 == 23 && a3 == 12) reach_error();
  if (a0 == 7 && a1 == 3 && a2 == 23 && a3 == 4) reach_error();
  if (a0 == 3 && a1 == 14 && a2 == 6 && a3 == 25) reach_error();
  if (a0 == 12 && a1 == 23 && a2 == 11 && a3 == 32) reach_error();
  if (a0 == 10 && a1 == 2 && a2 == 0 && a3 == 1) reach_error();
  if (a0 == 23 && a1 == 12 && a2 == 10 && a3 == 4) reach_error();
  if (a0 == 10 && a1 == 11 && a2 == 23 && a3 == 32) reach_error();
  if (a0 == 1 && a1 == 6 && a2 == 11 && a3 == 1) reach_error();
  if (a0 == 10 && a1 == 11 && a2 == 16 && a3 == 32) reach_error();
  if (a0 == 1 && a1 == 20 && a2 == 0 && a3 == 8) reach_error();
  if (a0 == 34 && a1 == 37 && a2 == 8 && a3 == 4) reach_error();
  if (a0 == 10 && a1 == 2 && a2 == 12 && a3 == 4) reach_error();
  if (a0 == 24 && a1 == 6 && a2 == 23 && a3 == 20) reach_error();
}

static int calculate_output(int input) {
  check_errors();
  if (a2 == 10 && input == 2) {
    a2 = 28;
    return 26;
  }
  if (a1 == 37 && a2 == 28 && a3 == 25 && input == 2) {
    a0 = 7;
    a2 = 11;
    return 20;
  }
  if (a1 == 37 && a3 == 25 && input == 6) {
    a1 = (a1 + 3) % 17;
    return 23;
  }
  if (a0 == 38 && a1 == 6 && a2 == 28 && input == 3) {
    a0 = 7;
    return 25;
  }
  if (a1 == 6 && a2 == 28 && a3 == 25 && input == 2) {
    a0 = 1;
    return 23;
  }
  if (a1 == 6 && input == 1) {
    a2 = 7;
    return 26;
  }
  if (a1 == 37 && input == 5) {
    a0 = 34;
    a2 = 11;
    return 23;
  }
  if (a0 == 1 && a1 == 6 && a2 == 7 && input == 3) {
    a0 = 1;
    return 26;
  }
  if (a1 == 6 && a2 == 11 && a3 == 25 && input == 3) {
    a1 = 11;
    return 25;
  }
  if (a1 == 6 && input == 5) {
    a0 = (a0 + 4) % 13;
    a1 = 37;
    return 20;
  }
  if (a0 == 7 && a1 == 37 && a2 == 11 && input == 6) {
    a1 = 22;
    a3 = 25;
    return 26;
  }
  if (a2 == 7 && a3 == 25 && input == 6) {
    a1 = 37;
    return 20;
  }
  if (a3 == 25 && input == 6) {
    a3 = (a3 + 8) % 29;
    return 26;
  }
  if (a0 == 12 && a1 == 37 && a3 == 25 && input == 6) {
    a2 = 10;
    a3 = 30;
    return 20;
  }
  if (a0 == 2 && a2 == 7 && a3 == 25 && input == 1) {
    a1 = 19;
    a3 = (a3 + 8) % 17;
    return 23;
  }
  if (a0 == 5 && a2 == 28 && a3 == 4 && input == 5) {
    a1 = 19;
    a2 = (a2 + 8) % 17;
    return 23;
  }
  if (a2 == 10 && a3 == 25 && input == 4) {
    a0 = 38;
    a2 = (a2 + 5) % 29;
    return 23;
  }
  if (a2 == 7 && a3 == 4 && input == 1) {
    a2 = 26;
    a3 = 25;
    return 23;
  }
  if (a1 == 6 && a3 == 25 && input == 3) {
    a3 = 32;
    return 23;
  }
  if (a2 == 7 && input == 2) {
    a2 = (a2 + 1) % 29;
    return 24;
  }
  if (a0 == 1 && a3 == 32 && input == 2) {
    a0 = 1;
    a3 = (a3 + 3) % 17;
    return 21;
  }
  if (a3 == 25 && input == 3) {
    a0 = 20;
    a2 = 11;
    return 22;
  }
  if (a1 == 37 && a3 == 25 && input == 3) {
    a1 = 23;
    a3 = 30;
    return 22;
  }
  if (a0 == 11 && a1 == 6 && a2 == 8 && input == 1) {
    a2 = (a2 + 3) % 17;
    a3 = (a3 + 6) % 13;
    return 26;
  }
  if (a1 == 37 && a2 == 10 && input == 6) {
    a1 = 36;
    a3 = 20;
    return 21;
  }
  if (a0 == 9 && a1 == 11 && a2 == 11 && input == 2) {
    a2 = 10;
    a3 = (a3 + 1) % 29;
    return 21;
  }
  if (a0 == 20 && input == 6) {
    a3 = 25;
    return 26;
  }
  if (a0 == 10 && a1 == 6 && a3 == 4 && input == 1) {
    a1 = (a1 + 4) % 17;
    return 21;
  }
  if (a1 == 11 && a3 == 4 && input == 5) {
    a1 = 23;
    return 23;
  }
  if (a0 == 6 && input == 5) {
    a0 = 38;
    a1 = 37;
    return 22;
  }
  if (a3 == 32 && input == 4) {
    a0 = 34;
    a1 = 23;
    return 24;
  }
  if (a2 == 15 && input == 6) {
    a1 = 37;
    return 24;
  }
  if (a2 == 7 && input == 4) {
    a1 = (a1 + 7) % 17;
    a2 = 23;
    return 22;
  }
  if (a0 == 4 && a1 == 37 && a3 == 4 && input == 5) {
    a1 = 36;
    return 25;
  }
  if (a0 == 11 && a1 == 6 && a2 == 10 && input == 6) {
    a0 = (a0 + 3) % 29;
    a1 = 19;
    return 20;
  }
  if (a0 == 5 && a1 == 13 && a2 == 23 && input == 6) {
    a1 = 23;
    return 26;
  }
  if (a0 == 11 && a2 == 7 && a3 == 32 && input == 3) {
    a0 = 34;
    a1 = 23;
    return 23;
  }
  if (a0 == 5 && a1 == 37 && a3 == 4 && input == 5) {
    a0 = 20;
    a2 = 7;
    return 26;
  }
  if (a2 == 8 && a3 == 4 && input == 4) {
    a2 = 26;
    a3 = 12;
    return 22;
  }
  if (a1 == 37 && a3 == 32 && input == 4) {
    a0 = (a0 + 7) % 13;
    a2 = (a2 + 3) % 17;
    return 23;
  }
  if (a3 == 25 && input == 3) {
    a0 = (a0 + 6) % 17;
    a2 = 10;
    return 20;
  }
  if (a1 == 37 && a2 == 8 && input == 2) {
    a3 = 30;
    return 23;
  }
  if (a1 == 13 && a3 == 25 && input == 2) {
    a1 = 11;
    return 20;
  }
  if (a1 == 6 && a2 == 10 && a3 == 32 && input == 3) {
    a1 = 22;
    a2 = (a2 + 6) % 13;
    return 21;
  }
  if (a1 == 19 && a3 == 16 && input == 3) {
    a3 = (a3 + 3) % 17;
    return 24;
  }
  if (a3 == 4 && input == 1) {
    a1 = 11;
    a2 = (a2 + 1) % 17;
    return 24;
  }
  if (a0 == 3 && a1 == 37 && a3 == 25 && input == 1) {
    a2 = 28;
    return 22;
  }
  if (a1 == 6 && a2 == 15 && a3 == 4 && input == 6) {
    a3 = (a3 + 7) % 13;
    return 24;
  }
  if (a3 == 12 && input == 6) {
    a0 = (a0 + 6) % 29;
    a3 = 15;
    return 20;
  }
  if (a1 == 11 && a2 == 13 && input == 3) {
    a1 = 19;
    return 20;
  }
  if (a0 == 12 && a1 == 6 && a3 == 15 && input == 4) {
    a0 = 20;
    return 23;
  }
  if (a2 == 7 && a3 == 15 && input == 2) {
    a3 = 25;
    return 21;
  }
  if (a0 == 14 && a3 == 4 && input == 3) {
    a1 = 23;
    a2 = 7;
    return 25;
  }
  if (a1 == 11 && a3 == 25 && input == 6) {
    a1 = 23;
    a2 = 23;
    return 26;
  }
  if (a0 == 5 && a3 == 25 && input == 6) {
    a0 = (a0 + 9) % 29;
    return 23;
  }
  if (a0 == 0 && a2 == 11 && input == 1) {
    a3 = (a3 + 3) % 29;
    return 24;
  }
  if (a0 == 11 && a3 == 15 && input == 1) {
    a3 = 25;
    return 24;
  }
  if (a0 == 2 && a1 == 11 && a2 == 13 && input == 5) {
    a2 = 11;
    return 20;
  }
  if (a1 == 11 && input == 3) {
    a0 = 34;
    a1 = 11;
    return 26;
  }
  if (a1 == 23 && a2 == 11 && a3 == 4 && input == 4) {
    a2 = (a2 + 8) % 17;
    return 22;
  }
  if (a1 == 6 && a2 == 8 && a3 == 12 && input == 1) {
    a0 = 7;
    return 26;
  }
  if (a1 == 13 && a2 == 23 && a3 == 15 && input == 4) {
    a2 = 26;
    return 23;
  }
  if (a3 == 12 && input == 4) {
    a3 = 20;
    return 23;
  }
  if (a2 == 26 && input == 4) {
    a1 = 11;
    return 24;
  }
  if (a0 == 34 && a3 == 25 && input == 4) {
    a2 = (a2 + 3) % 17;
    return 22;
  }
  if (a0 == 34 && a1 == 13 && a2 == 23 && input == 4) {
    a3 = 25;
    return 26;
  }
  if (a2 == 11 && a3 == 4 && input == 2) {
    a3 = (a3 + 4) % 29;
    return 20;
  }
  if (a0 == 10 && input == 4) {
    a1 = (a1 + 4) % 29;
    a3 = 20;
    return 26;
  }
  if (a0 == 2 && input == 4) {
    a0 = (a0 + 1) % 29;
    a2 = 10;
    return 21;
  }
  if (a1 == 23 && input == 6) {
    a0 = (a0 + 8) % 29;
    a1 = 37;
    return 26;
  }
  return -2;
}

int main(void) {
  int output = -1;
  while (1) {
    int input = __VERIFIER_nondet_int();
    if (input < 1 || input > 6) return -2;
    output = calculate_output(input);
    if (output == -2) printf("invalid input: %d\n", input);
    else printf("%d\n", output);
  }
}
