/* The second comes after the first. */
byte turn, at;

active proctype first() {
  do
  :: true ->
    do
    :: turn == 0 -> break
    :: else
    od;
    at = 1;
    turn = 1;
  od
}

active proctype second() {
  do
  :: true ->
    do
    :: turn == 1 -> break
    :: else
    od;
    at = 2;
    turn = 0;
  od
}

ltl property { (at == 0 || at == 1) U (at == 2) }
