// An event system of 40 rules over 7 attributes, with 9085 reachable valuations.
// Fails with: 3 3 3 3 1 2 3 3 3 2 4 3 3 3 3 3 1 3 3 3 3 3 3 3 3 3 3 3 3 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 4 1
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int a0 = 30;
static int a1 = 8;
static int a2 = 8;
static int a3 = 15;
static int a4 = 15;
static int a5 = 34;
static int a6 = 38;

static void check_errors(void) {
  if (a0 == 5 && a1 == 0 && a2 == 15 && a3 == 3 && a4 == 3 && a5 == 27 && a6 == 38) reach_error();
  if (a0 == 5 && a1 == 30 && a2 == 32 && a3 == 15 && a4 == 12 && a5 == 17 && a6 == 38) reach_error();
  if (a0 == 30 && a1 == 9 && a2 == 16 && a3 == 3 && a4 == 39 && a5 == 19 && a6 == 38) reach_error();
  if (a0 == 30 && a1 == 2 && a2 == 16 && a3 == 15 && a4 == 2 && a5 == 27 && a6 == 38) reach_error();
  if (a0 == 30 && a1 == 9 && a2 == 32 && a3 == 3 && a4 == 39 && a5 == 12 && a6 == 2) reach_error();
  if (a0 == 5 && a1 == 2 && a2 == 16 && a3 == 15 && a4 == 1 && a5 == 27 && a6 == 38) reach_error();
  if (a0 == 5 && a1 == 13 && a2 == 32 && a3 == 3 && a4 == 9 && a5 == 34 && a6 == 38) reach_error();
  if (a0 == 14 && a1 == 2 && a2 == 15 && a3 == 3 && a4 == 9 && a5 == 21 && a6 == 38) reach_error();
  if (a0 == 5 && a1 == 13 && a2 == 16 && a3 == 15 && a4 == 5 && a5 == 34 && a6 == 38) reach_error();
  if (a0 == 30 && a1 == 3 && a2 == 6 && a3 == 3 && a4 == 14 && a5 == 34 && a6 == 4) reach_error();
  if (a0 == 5 && a1 == 2 && a2 == 16 && a3 == 3 && a4 == 7 && a5 == 34 && a6 == 38) reach_error();
  if (a0 == 5 && a1 == 2 && a2 == 6 && a3 == 2 && a4 == 6 && a5 == 19 && a6 == 38) reach_error();
  if (a0 == 30 && a1 == 30 && a2 == 6 && a3 == 3 && a4 == 5 && a5 == 27 && a6 == 38) reach_error();
  if (a0 == 30 && a1 == 16 && a2 == 16 && a3 == 3 && a4 == 10 && a5 == 34 && a6 == 4) reach_error();
  if (a0 == 5 && a1 == 16 && a2 == 15 && a3 == 3 && a4 == 9 && a5 == 6 && a6 == 38) reach_error();
  if (a0 == 5 && a1 == 2 && a2 == 15 && a3 == 3 && a4 == 39 && a5 == 8 && a6 == 38) reach_error();
  if (a0 == 5 && a1 == 30 && a2 == 15 && a3 == 15 && a4 == 39 && a5 == 3 && a6 == 14) reach_error();
  if (a0 == 30 && a1 == 3 && a2 == 32 && a3 == 3 && a4 == 14 && a5 == 0 && a6 == 38) reach_error();
  if (a0 == 30 && a1 == 2 && a2 == 8 && a3 == 3 && a4 == 7 && a5 == 22 && a6 == 9) reach_error();
  if (a0 == 30 && a1 == 7 && a2 == 32 && a3 == 3 && a4 == 8 && a5 == 34 && a6 == 0) reach_error();
}

static int calculate_output(int input) {
  check_errors();
  if (a2 == 8 && input == 3) {
    a4 = (a4 + 9) % 17;
    return 25;
  }
  if (a4 == 15 && a6 == 38 && input == 4) {
    a1 = 30;
    a4 = (a4 + 3) % 13;
    return 24;
  }
  if (a3 == 15 && input == 5) {
    a0 = 30;
    a5 = 34;
    return 26;
  }
  if (a0 == 30 && a1 == 8 && a2 == 8 && a3 == 15 && a5 == 34 && a6 == 38 && input == 3) {
    a5 = 34;
    a6 = (a6 + 1) % 17;
    return 26;
  }
  if (a0 == 30 && a1 == 8 && a4 == 0 && a5 == 34 && a6 == 38 && input == 1) {
    a1 = (a1 + 7) % 13;
    a4 = 9;
    return 24;
  }
  if (a0 == 30 && a1 == 8 && a2 == 8 && a4 == 7 && a5 == 34 && a6 == 38 && input == 1) {
    a2 = 32;
    a3 = (a3 + 9) % 29;
    return 25;
  }
  if (a0 == 30 && a1 == 8 && a2 == 32 && a3 == 24 && a5 == 34 && a6 == 38 && input == 2) {
    a6 = (a6 + 7) % 29;
    return 23;
  }
  if (a2 == 8 && a4 == 5 && a6 == 38 && input == 3) {
    a2 = (a2 + 1) % 17;
    a3 = 3;
    return 26;
  }
  if (a1 == 8 && a3 == 24 && input == 2) {
    a4 = 15;
    a5 = (a5 + 1) % 17;
    return 21;
  }
  if (a0 == 30 && a3 == 15 && a5 == 34 && a6 == 38 && input == 2) {
    a0 = 30;
    a5 = 19;
    return 24;
  }
  if (a6 == 38 && input == 3) {
    a1 = (a1 + 2) % 17;
    a5 = 27;
    return 21;
  }
  if (a0 == 30 && a2 == 8 && a3 == 15 && a4 == 9 && a5 == 34 && a6 == 38 && input == 4) {
    a0 = (a0 + 9) % 17;
    a2 = (a2 + 8) % 17;
    return 26;
  }
  if (a0 == 30 && a1 == 2 && a2 == 8 && a3 == 15 && a4 == 2 && a6 == 38 && input == 2) {
    a2 = (a2 + 7) % 17;
    return 20;
  }
  if (a5 == 34 && input == 3) {
    a3 = 2;
    a6 = (a6 + 6) % 17;
    return 20;
  }
  if (a0 == 30 && a2 == 32 && a4 == 15 && a6 == 16 && input == 4) {
    a5 = 12;
    return 25;
  }
  if (a5 == 34 && input == 1) {
    a3 = 3;
    return 22;
  }
  if (a0 == 30 && a1 == 15 && a2 == 16 && a3 == 15 && a5 == 19 && a6 == 38 && input == 4) {
    a0 = (a0 + 9) % 29;
    a5 = 34;
    return 24;
  }
  if (a0 == 30 && a2 == 8 && a6 == 38 && input == 2) {
    a0 = 5;
    a2 = 32;
    return 23;
  }
  if (a1 == 2 && a2 == 8 && a5 == 19 && a6 == 38 && input == 5) {
    a0 = 5;
    a2 = 6;
    return 21;
  }
  if (a0 == 30 && a2 == 16 && a3 == 3 && a4 == 9 && a5 == 34 && a6 == 38 && input == 5) {
    a1 = (a1 + 8) % 29;
    a4 = 39;
    return 24;
  }
  if (a1 == 2 && input == 2) {
    a5 = (a5 + 6) % 29;
    return 23;
  }
  if (a0 == 5 && a1 == 12 && a2 == 32 && a3 == 3 && a4 == 3 && a6 == 38 && input == 2) {
    a0 = 39;
    return 26;
  }
  if (a0 == 5 && input == 1) {
    a2 = 32;
    a4 = 39;
    return 23;
  }
  if (a0 == 30 && a1 == 8 && a2 == 32 && a3 == 2 && a4 == 7 && a6 == 11 && input == 4) {
    a5 = 19;
    return 22;
  }
  if (a0 == 30 && a1 == 1 && a2 == 15 && a4 == 2 && a5 == 19 && a6 == 38 && input == 1) {
    a1 = 8;
    a6 = (a6 + 8) % 17;
    return 24;
  }
  if (a0 == 30 && a3 == 3 && a4 == 39 && input == 2) {
    a5 = 34;
    a6 = 15;
    return 26;
  }
  if (a0 == 30 && a1 == 2 && a2 == 32 && a3 == 3 && a4 == 13 && a5 == 27 && input == 3) {
    a1 = (a1 + 8) % 13;
    a6 = 38;
    return 26;
  }
  if (a5 == 19 && input == 4) {
    a3 = 3;
    return 25;
  }
  if (a0 == 30 && a4 == 13 && input == 3) {
    a4 = 39;
    a5 = 19;
    return 20;
  }
  if (a1 == 12 && a2 == 15 && a3 == 3 && a4 == 2 && a5 == 27 && input == 1) {
    a0 = 5;
    return 24;
  }
  if (a0 == 30 && a1 == 3 && a2 == 32 && a3 == 15 && a4 == 2 && input == 5) {
    a5 = 12;
    a6 = 27;
    return 20;
  }
  if (a0 == 30 && a3 == 15 && a4 == 14 && a5 == 19 && a6 == 38 && input == 5) {
    a1 = 8;
    a4 = 15;
    return 23;
  }
  if (a2 == 32 && input == 1) {
    a5 = 12;
    return 26;
  }
  if (a0 == 30 && a2 == 32 && a3 == 15 && a4 == 5 && a6 == 38 && input == 4) {
    a1 = 30;
    return 26;
  }
  if (a0 == 5 && a4 == 3 && a5 == 27 && a6 == 38 && input == 4) {
    a2 = 32;
    return 24;
  }
  if (a0 == 30 && a1 == 2 && a2 == 32 && a3 == 3 && a4 == 7 && a6 == 38 && input == 2) {
    a4 = 39;
    a5 = 27;
    return 21;
  }
  if (a0 == 5 && a3 == 3 && a6 == 38 && input == 4) {
    a0 = (a0 + 9) % 29;
    a4 = 9;
    return 24;
  }
  if (a0 == 5 && a1 == 2 && a2 == 32 && a3 == 3 && a4 == 10 && input == 4) {
    a4 = 7;
    return 23;
  }
  if (a0 == 30 && a1 == 2 && a2 == 32 && a3 == 15 && a4 == 16 && a6 == 38 && input == 5) {
    a2 = 8;
    a4 = (a4 + 6) % 13;
    return 24;
  }
  if (a1 == 2 && a5 == 20 && input == 3) {
    a1 = 25;
    return 23;
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
