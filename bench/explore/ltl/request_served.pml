/* A server answers each request, if it is run at all. */
byte request, served;

active proctype first() {
  do
  :: true ->
    served = 0;
    request = 1;
    do
    :: request == 0 -> break
    :: else
    od;
  od
}

active proctype second() {
  do
  :: true ->
    do
    :: request == 1 -> break
    :: else
    od;
    served = 1;
    request = 0;
  od
}

ltl property { [] (request == 1 -> <> (served == 1)) }
