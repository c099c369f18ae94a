/* The turn is given before the light is red. */
byte north, east, turn;

active proctype first() {
  do
  :: true ->
    do
    :: turn == 0 -> break
    :: else
    od;
    north = 1;
    turn = 1;
    north = 0;
  od
}

active proctype second() {
  do
  :: true ->
    do
    :: turn == 1 -> break
    :: else
    od;
    east = 1;
    east = 0;
    turn = 0;
  od
}

ltl property { [] !(north == 1 && east == 1) }
