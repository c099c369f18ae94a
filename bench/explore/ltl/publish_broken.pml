/* The flag comes first. */
byte data, flag, other;

active proctype first() {
  flag = 1;
  data = 1
}

active proctype second() {
  other = 1
}

ltl property { (flag == 0) U (data == 1) }
