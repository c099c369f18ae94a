// purpose: a try block whose body does not throw runs through, destructors included
#include <cstdio>

struct Guard {
  explicit Guard(int n) : number(n) {}
  ~Guard() { std::printf("guard %d\n", number); }
  int number;
};

static int checked(int x) {
  if (x > 5) throw x;
  return x * 2;
}

int main() {
  int total = 0;
  for (int i = 0; i < 3; ++i) {
    try {
      Guard guard(i);
      total += checked(i);
    } catch (int error) {
      std::printf("caught %d\n", error);
    }
  }
  return total;
}
