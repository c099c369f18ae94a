// purpose: a throw is refused where it happens
// expect: unsupported exception
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
      total += checked(i * 4);
    } catch (int error) {
      std::printf("caught %d\n", error);
    }
  }
  return total;
}
