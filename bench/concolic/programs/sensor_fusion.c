// purpose: three sensors vote each cycle; disagreements, stuck values and drifts degrade the mode step by step
#include <assert.h>
#include <plumb/plumb.h>

enum mode { kNominal, kDegraded, kSingle, kSafe };

static int distance(int a, int b) { return a > b ? a - b : b - a; }

int main(void) {
  int strikes[3] = {0, 0, 0}, last[3] = {0, 0, 0}, stuck[3] = {0, 0, 0}, is_out[3] = {0, 0, 0};
  int mode = kNominal, recoveries = 0, cycle = 0, output = 0;
  for (;;) {
    unsigned char v[3];
    plumb_symbolic(v, sizeof v, "v");
    if (v[0] == 0 && v[1] == 0 && v[2] == 0) break;
    if (++cycle > 40) return 1;
    int ab = distance(v[0], v[1]) <= 4, bc = distance(v[1], v[2]) <= 4, ac = distance(v[0], v[2]) <= 4;
    if (ab && !bc && !ac) strikes[2]++;
    if (bc && !ab && !ac) strikes[0]++;
    if (ac && !ab && !bc) strikes[1]++;
    if (ab && bc && ac) {
      if (strikes[0] > 0) strikes[0]--;
      if (strikes[1] > 0) strikes[1]--;
      if (strikes[2] > 0) strikes[2]--;
    }
    int out = 0;
    for (int i = 0; i < 3; i++) {
      stuck[i] = v[i] == last[i] ? stuck[i] + 1 : 0;
      last[i] = v[i];
      if (strikes[i] >= 3 || stuck[i] >= 5) is_out[i] = 1;
      out += is_out[i];
    }
    int wanted = out == 0 ? kNominal : out == 1 ? kDegraded : out == 2 ? kSingle : kSafe;
    if (wanted > mode) mode = wanted;
    if (mode == kDegraded && v[0] == 0xaa && v[1] == 0x55 && v[2] == 0xaa) {
      is_out[0] = is_out[1] = is_out[2] = 0;
      strikes[0] = strikes[1] = strikes[2] = 0;
      mode = kNominal;
      recoveries++;
    }
    if (mode == kNominal) output = (v[0] + v[1] + v[2]) / 3;
    if (mode == kSafe) return 2;
    if (recoveries == 2) {
      assert(output < 250);
      return 3;
    }
  }
  return mode == kSingle ? 4 : output > 200 ? 5 : 0;
}
