// purpose: an index past the last array of a struct that is itself an element of an array
// defect: array-out-of-bounds line 17
struct row {
  int key;
  int values[3];
};

static struct row table[4];

int main(void) {
#ifdef FIXED
  int last = 2;
#else
  int last = 3;
#endif
  for (int i = 0; i <= last; i++)
    table[1].values[i] = i;
  return table[2].key;
}
