// purpose: a deposit is added to a balance without a look at how large it is
// defect: signed-overflow line 17
// checks: default,overflow
// input: balance=2000000000 deposit=200000000
#include <limits.h>
#include <plumb/plumb.h>

struct account {
  int balance, changes;
};

static int deposit(struct account* account, int amount) {
  if (amount <= 0) return 0;
#ifdef FIXED
  if (account->balance > INT_MAX - amount) return 0;
#endif
  account->balance += amount;
  account->changes++;
  return 1;
}

int main(void) {
  struct account account = {plumb_symbolic_int("balance"), 0};
  return deposit(&account, plumb_symbolic_int("deposit"));
}
