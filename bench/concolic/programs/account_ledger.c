// purpose: transfers between accounts with limits, holds and a nightly run; money must neither appear nor vanish
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

enum { kAccounts = 3 };

struct account {
  int balance, hold, limit, is_frozen;
};

static struct account accounts[kAccounts] = {{1000, 0, 500, 0}, {200, 0, 100, 0}, {0, 0, 0, 0}};

static int total(void) {
  int sum = 0;
  for (int i = 0; i < kAccounts; i++) sum += accounts[i].balance + accounts[i].hold;
  return sum;
}

static int transfer(int from, int to, int amount) {
  if (accounts[from].is_frozen) return 1;
  if (amount <= 0) return 2;
  if (accounts[from].balance + accounts[from].limit < amount) return 3;
  int old_from = accounts[from].balance, old_to = accounts[to].balance;
  accounts[from].balance = old_from - amount;
  accounts[to].balance = old_to + amount; /* wrong if both are the same */
  return 0;
}

static int place_hold(int account, int amount) {
  if (amount <= 0 || amount > accounts[account].balance) return 4;
  if (accounts[account].hold > 0) return 5;
  accounts[account].balance -= amount;
  accounts[account].hold = amount;
  return 0;
}

static void nightly(void) {
  for (int i = 0; i < kAccounts; i++) {
    if (accounts[i].balance < 0) accounts[i].is_frozen = 1;
    accounts[i].balance += accounts[i].hold;
    accounts[i].hold = 0;
  }
}

int main(void) {
  int refusals = 0, nights = 0;
  for (int i = 0; i < 6; i++) {
    unsigned char operation = __VERIFIER_nondet_uchar();
    unsigned char first = __VERIFIER_nondet_uchar(), second = __VERIFIER_nondet_uchar();
    short amount = __VERIFIER_nondet_short();
    if (first >= kAccounts || second >= kAccounts) return 10;
    int status = 0;
    if (operation == 't') status = transfer(first, second, amount);
    else if (operation == 'h') status = place_hold(first, amount);
    else if (operation == 'n') nightly(), nights++;
    else if (operation == 'u') accounts[first].is_frozen = 0;
    else if (operation == 'l' && nights > 0) accounts[first].limit = amount > 0 ? amount : 0;
    else break;
    if (status != 0 && ++refusals == 3) return status;
    if (total() != 1200) reach_error();
  }
  if (accounts[2].is_frozen && nights == 2) return 11;
  return 0;
}
