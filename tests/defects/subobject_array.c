// purpose: an array inside a structure is left, but not the structure
// defect: array-out-of-bounds line 16
struct packet {
  char name[8];
  int length;
};

int main(void) {
  struct packet p = {"", 7};
#ifdef FIXED
  int count = 8;
#else
  int count = 9;
#endif
  for (int i = 0; i < count; ++i) {
    p.name[i] = 'x';
  }
  return p.length != 7;
}
