/* Two locks in two orders: they may never come to it. */
byte done;
bool a;
bool b;

active proctype first() {
  atomic { !a -> a = true };
  atomic { !b -> b = true };
  done++;
  b = false;
  a = false
}

active proctype second() {
  atomic { !b -> b = true };
  atomic { !a -> a = true };
  done++;
  a = false;
  b = false
}

ltl property { <> (done == 2) }
