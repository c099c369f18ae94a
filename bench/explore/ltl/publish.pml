/* Data is there before its flag. */
byte data, flag, other;

active proctype first() {
  data = 1;
  flag = 1
}

active proctype second() {
  other = 1
}

ltl property { (flag == 0) U (data == 1) }
