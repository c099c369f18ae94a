// A structure of somebody else, whose members do not change by themselves.
void reach_error(void);

struct record {
  unsigned first, second;
};
extern struct record record; // outside

int main(void) {
  unsigned difference = record.second - record.first;
  if (record.second - record.first != difference) reach_error();
  return (int)(difference & 1);
}
