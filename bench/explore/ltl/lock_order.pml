/* Two locks in one order: both threads come to their end. */
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
  atomic { !a -> a = true };
  atomic { !b -> b = true };
  done++;
  b = false;
  a = false
}

ltl property { <> (done == 2) }
