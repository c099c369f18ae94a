// Its elements are inputs of one object.
void reach_error(void);

extern unsigned char level[4]; // outside

int main(void) {
  if (level[3] > 255) reach_error();
  return 0;
}
