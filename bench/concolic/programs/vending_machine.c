// purpose: coins, selections and change: stock and money are kept in tables, and refunds must never exceed what was paid
#include <plumb/plumb.h>

enum { kItems = 4, kCoins = 4 };
static const int coin_value[kCoins] = {5, 10, 50, 100};
static const int price[kItems] = {65, 120, 150, 200};
static int stock[kItems] = {2, 1, 3, 1};
static int tubes[kCoins] = {3, 2, 1, 0};

static int give_change(int amount) {
  int given[kCoins] = {0};
  for (int c = kCoins - 1; c >= 0; c--)
    while (amount >= coin_value[c] && given[c] < tubes[c]) {
      given[c]++;
      amount -= coin_value[c];
    }
  if (amount != 0) return 0;
  for (int c = 0; c < kCoins; c++) tubes[c] -= given[c];
  return 1;
}

int main(void) {
  int credit = 0, sold = 0, service = 0, refused = 0;
  for (int i = 0; i < 16; i++) {
    unsigned char key = plumb_nondet_uchar();
    if (key < kCoins) {
      if (credit > 300) {
        refused++;
        continue;
      }
      credit += coin_value[key];
      tubes[key]++;
    } else if (key >= 'a' && key < 'a' + kItems) {
      int item = key - 'a';
      if (stock[item] == 0) return 1;
      if (credit < price[item]) {
        if (++refused == 3) return 2;
        continue;
      }
      int change = credit - price[item];
      if (!give_change(change)) return 3;
      stock[item]--;
      sold++;
      credit = 0;
    } else if (key == 'r') {
      if (credit == 0) continue;
      if (!give_change(credit)) return 4;
      credit = 0;
    } else if (key == 's') {
      service = service == 0 ? 1 : 0;
    } else if (key == '#' && service == 1) {
      service = 2;
    } else if (service == 2) {
      if (key == 'f') stock[0] = stock[1] = stock[2] = stock[3] = 5;
      if (key == 'e') tubes[0] = tubes[1] = tubes[2] = tubes[3] = 0;
      service = 0;
    } else if (key == 0xff) {
      break;
    }
    plumb_check(sold < 2 || tubes[3] < 4 || stock[0] != 5);
  }
  return sold > 1 ? 5 : 0;
}
