// An event system of 45 rules over 5 attributes, with 501 reachable valuations.
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int a0 = 10;
static int a1 = 19;
static int a2 = 12;
static int a3 = 6;
static int a4 = 34;

static void check_errors(void) {
  if (a0 == 25 && a1 == 11 && a2 == 15 && a3 == 2 && a4 == 10) reach_error();
  if (a0 == 11 && a1 == 8 && a2 == 12 && a3 == 24 && a4 == 31) reach_error();
  if (a0 == 16 && a1 == 7 && a2 == 33 && a3 == 6 && a4 == 31) reach_error();
  if (a0 == 7 && a1 == 19 && a2 == 15 && a3 == 6 && a4 == 10) reach_error();
  if (a0 == 10 && a1 == 12 && a2 == 33 && a3 == 9 && a4 == 27) reach_error();
  if (a0 == 23 && a1 == 6 && a2 == 12 && a3 == 6 && a4 == 39) reach_error();
  if (a0 == 23 && a1 == 19 && a2 == 15 && a3 == 6 && a4 == 39) reach_error();
  if (a0 == 16 && a1 == 4 && a2 == 33 && a3 == 6 && a4 == 10) reach_error();
  if (a0 == 10 && a1 == 5 && a2 == 12 && a3 == 6 && a4 == 39) reach_error();
  if (a0 == 10 && a1 == 6 && a2 == 15 && a3 == 6 && a4 == 31) reach_error();
  if (a0 == 13 && a1 == 7 && a2 == 15 && a3 == 6 && a4 == 34) reach_error();
  if (a0 == 25 && a1 == 11 && a2 == 15 && a3 == 25 && a4 == 39) reach_error();
  if (a0 == 25 && a1 == 35 && a2 == 33 && a3 == 25 && a4 == 31) reach_error();
  if (a0 == 23 && a1 == 8 && a2 == 33 && a3 == 12 && a4 == 31) reach_error();
  if (a0 == 25 && a1 == 7 && a2 == 33 && a3 == 6 && a4 == 27) reach_error();
  if (a0 == 10 && a1 == 1 && a2 == 15 && a3 == 8 && a4 == 34) reach_error();
  if (a0 == 23 && a1 == 7 && a2 == 15 && a3 == 14 && a4 == 31) reach_error();
  if (a0 == 16 && a1 == 7 && a2 == 15 && a3 == 6 && a4 == 34) reach_error();
  if (a0 == 23 && a1 == 6 && a2 == 15 && a3 == 6 && a4 == 31) reach_error();
  if (a0 == 3 && a1 == 6 && a2 == 33 && a3 == 6 && a4 == 39) reach_error();
}

static int calculate_output(int input) {
  check_errors();
  if (a0 == 10 && a4 == 34 && input == 2) {
    a1 = 35;
    a3 = 29;
    return 26;
  }
  if (a0 == 10 && a1 == 19 && a2 == 12 && input == 5) {
    a2 = 33;
    return 23;
  }
  if (a2 == 12 && a3 == 29 && a4 == 34 && input == 2) {
    a1 = 35;
    a4 = (a4 + 9) % 29;
    return 24;
  }
  if (a3 == 29 && input == 3) {
    a3 = 4;
    return 20;
  }
  if (a0 == 10 && a2 == 33 && a3 == 4 && a4 == 34 && input == 2) {
    a2 = 9;
    return 21;
  }
  if (a1 == 35 && a2 == 33 && a3 == 4 && a4 == 34 && input == 2) {
    a0 = (a0 + 7) % 17;
    return 20;
  }
  if (a0 == 10 && a3 == 6 && input == 2) {
    a2 = 15;
    a4 = 32;
    return 25;
  }
  if (a0 == 10 && a3 == 4 && input == 6) {
    a3 = 4;
    return 25;
  }
  if (a0 == 10 && a1 == 19 && a2 == 33 && input == 2) {
    a1 = (a1 + 5) % 17;
    a3 = (a3 + 7) % 29;
    return 25;
  }
  if (a0 == 10 && input == 2) {
    a0 = (a0 + 3) % 29;
    a1 = (a1 + 1) % 29;
    return 25;
  }
  if (a3 == 6 && a4 == 34 && input == 6) {
    a0 = 36;
    a2 = 15;
    return 21;
  }
  if (a0 == 36 && a2 == 15 && input == 1) {
    a1 = 3;
    a4 = 39;
    return 20;
  }
  if (a0 == 10 && a1 == 35 && a2 == 12 && a3 == 29 && input == 6) {
    a3 = (a3 + 2) % 29;
    return 21;
  }
  if (a0 == 10 && input == 6) {
    a1 = 19;
    return 21;
  }
  if (a1 == 35 && a3 == 29 && input == 2) {
    a2 = 15;
    a3 = (a3 + 8) % 29;
    return 23;
  }
  if (a2 == 12 && input == 1) {
    a0 = 25;
    a3 = 4;
    return 23;
  }
  if (a2 == 12 && input == 4) {
    a0 = 25;
    return 20;
  }
  if (a3 == 2 && a4 == 34 && input == 6) {
    a2 = 29;
    return 26;
  }
  if (a0 == 36 && a1 == 19 && input == 2) {
    a0 = 11;
    a4 = (a4 + 9) % 13;
    return 20;
  }
  if (a1 == 19 && a4 == 34 && input == 1) {
    a4 = 31;
    return 21;
  }
  if (a0 == 25 && a2 == 15 && a3 == 8 && a4 == 14 && input == 1) {
    a3 = 33;
    return 26;
  }
  if (a3 == 6 && input == 4) {
    a0 = 23;
    a4 = 34;
    return 25;
  }
  if (a0 == 10 && a1 == 19 && a3 == 6 && a4 == 32 && input == 1) {
    a0 = (a0 + 6) % 17;
    a4 = 31;
    return 25;
  }
  if (a1 == 19 && a3 == 4 && input == 5) {
    a3 = 4;
    return 20;
  }
  if (a0 == 10 && a1 == 7 && a4 == 31 && input == 5) {
    a2 = 12;
    a3 = 12;
    return 24;
  }
  if (a2 == 15 && a3 == 6 && a4 == 39 && input == 3) {
    a1 = (a1 + 4) % 13;
    return 21;
  }
  if (a3 == 6 && input == 3) {
    a1 = 37;
    a4 = 39;
    return 22;
  }
  if (a0 == 25 && a2 == 12 && a3 == 4 && a4 == 31 && input == 2) {
    a2 = (a2 + 2) % 29;
    a4 = 39;
    return 26;
  }
  if (a0 == 10 && a1 == 2 && a2 == 15 && a3 == 6 && input == 5) {
    a4 = 39;
    return 23;
  }
  if (a0 == 23 && a1 == 37 && a2 == 33 && a4 == 39 && input == 1) {
    a1 = 28;
    a4 = 10;
    return 26;
  }
  if (a0 == 25 && a1 == 35 && a3 == 4 && input == 5) {
    a0 = (a0 + 6) % 29;
    return 23;
  }
  if (a4 == 4 && input == 4) {
    a1 = (a1 + 6) % 29;
    a4 = 39;
    return 23;
  }
  if (a1 == 6 && a2 == 15 && input == 5) {
    a3 = 12;
    return 25;
  }
  if (a2 == 15 && a3 == 8 && a4 == 14 && input == 6) {
    a1 = 3;
    a3 = 6;
    return 23;
  }
  if (a0 == 10 && a2 == 12 && a3 == 6 && a4 == 39 && input == 5) {
    a4 = 32;
    return 24;
  }
  if (a0 == 36 && a2 == 15 && input == 1) {
    a3 = 6;
    a4 = (a4 + 5) % 17;
    return 21;
  }
  if (a0 == 10 && a1 == 7 && a3 == 9 && a4 == 31 && input == 4) {
    a2 = 25;
    a3 = (a3 + 8) % 13;
    return 25;
  }
  if (a1 == 10 && a2 == 15 && a3 == 6 && a4 == 32 && input == 2) {
    a4 = 39;
    return 21;
  }
  if (a0 == 11 && a3 == 6 && a4 == 39 && input == 5) {
    a0 = (a0 + 4) % 29;
    return 25;
  }
  if (a3 == 6 && a4 == 39 && input == 1) {
    a2 = 15;
    a4 = 10;
    return 21;
  }
  if (a0 == 10 && a3 == 10 && input == 1) {
    a4 = 27;
    return 25;
  }
  if (a0 == 10 && a1 == 7 && a3 == 28 && a4 == 31 && input == 6) {
    a1 = 35;
    return 21;
  }
  if (a2 == 12 && input == 2) {
    a2 = 12;
    return 23;
  }
  if (a1 == 6 && a3 == 12 && input == 2) {
    a0 = (a0 + 5) % 17;
    return 21;
  }
  if (a1 == 19 && a2 == 29 && a3 == 2 && a4 == 31 && input == 6) {
    a2 = 33;
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
