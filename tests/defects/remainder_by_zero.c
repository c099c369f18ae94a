// purpose: an unsigned remainder by a table size that was not set
// defect: division-by-zero line 6
static unsigned size;

static unsigned bucket(unsigned long hash) {
  return (unsigned)(hash % size);
}

int main(void) {
#ifdef FIXED
  size = 16;
#endif
  return (int)bucket(32);
}
