#!/usr/bin/env python3
"""Every construct of the PRISM language and of its properties, as the manual lists them: it is read right, or it is
refused with its place and exit code 2. Nothing is dropped without a word.

    constructs.py PLUMB            all cases
    constructs.py PLUMB WORD…      those whose name contains one of the words
    constructs.py PLUMB --methods  the cases that have a value, with each method, and as bounds that are just met and just missed

A case is a model that uses one construct and a property whose value would be another one if the construct were left out
or misread. Expected values follow from the manual by hand; each is asked for with --exact, and once more in floating
point, where the interval has to contain it. Every keyword of the language has to occur in some case."""
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

REFUSED = "refused"
METHODS = ("exact", "gauss-seidel", "interval", "jacobi", "krylov", "policy", "power", "value")
KEYWORDS = """A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables endrewards endsystem
false formula filter func F global G init invariant I int label max mdp min module X nondeterministic observable
observables Pmax Pmin P pomdp popta probabilistic prob pta rate rewards Rmax Rmin R S smg stochastic system true U W
multi""".split()

# A walk: up with 1/4, stays, and stops at 3.
WALK = """dtmc
module walk
  x : [0..3];
  [step] x<3 -> 1/4 : (x'=x+1) + 3/4 : (x'=0);
  [] x=3 -> true;
endmodule
rewards "steps" [step] true : 1; endrewards
rewards "high" x=2 : 5; endrewards
label "top" = x=3;
"""
CHOICE = """mdp
module choice
  x : [0..3];
  [a] x=0 -> 1/2 : (x'=1) + 1/2 : (x'=2);
  [b] x=0 -> 1/5 : (x'=1) + 4/5 : (x'=3);
  [] x>0 -> true;
endmodule
rewards "r" [a] true : 3; [b] true : 7; endrewards
"""
RATES = """ctmc
module m
  x : [0..2];
  [] x=0 -> 2 : (x'=1) + 6 : (x'=2);
  [back] x>0 -> 4 : (x'=0);
endmodule
rewards "t" x=0 : 8; [back] true : 3; endrewards
"""


def chain(body, more="", kind="dtmc"):
    return f"{kind}\n{more}\nmodule m\n{body}\nendmodule\n"


def expression(text, value, more=""):
    """A model in which the probability to be at 1 after a step is the value of the expression."""
    return (chain(f"  x : [0..1];\n  y : [-9..9] init -3;\n  b : bool init true;\n"
                  f"  [] true -> {text} : (x'=1) + 1-({text}) : (x'=0);", more), "P=? [ X x=1 ]", value)


def condition(text, value, more=""):
    """The expression as a guard, and as a property."""
    return (chain(f"  x : [0..1];\n  y : [-9..9] init -3;\n  b : bool init true;\n"
                  f"  [] {text} -> (x'=1);\n  [] !({text}) -> true;", more), "P=? [ F x=1 ]", "1" if value else "0")


CASES = {
    # Kinds of models.
    "kind dtmc": (WALK, "P=? [ X x=1 ]", "1/4"),
    "kind ctmc": (RATES, "P=? [ X x=1 ]", "1/4"),
    "kind mdp": (CHOICE, "Pmax=? [ F x=1 ]", "1/2"),
    "kind probabilistic": (WALK.replace("dtmc", "probabilistic"), "P=? [ X x=1 ]", "1/4"),
    "kind stochastic": (RATES.replace("ctmc", "stochastic"), "P=? [ X x=1 ]", "1/4"),
    "kind nondeterministic": (CHOICE.replace("mdp", "nondeterministic"), "Pmin=? [ F x=1 ]", "1/5"),
    "kind at the end": (WALK.replace("dtmc\n", "") + "dtmc\n", "P=? [ X x=1 ]", "1/4"),
    "kind missing": (WALK.replace("dtmc\n", ""), "P=? [ X x=1 ]", REFUSED),
    "kind twice": (WALK + "mdp\n", "P=? [ X x=1 ]", REFUSED),
    "kind pta": (WALK.replace("dtmc", "pta"), "P=? [ X x=1 ]", REFUSED),
    "kind pomdp": (CHOICE.replace("mdp", "pomdp"), "Pmax=? [ F x=1 ]", REFUSED),
    "kind popta": (CHOICE.replace("mdp", "popta"), "Pmax=? [ F x=1 ]", REFUSED),
    "kind smg": (CHOICE.replace("mdp", "smg"), "Pmax=? [ F x=1 ]", REFUSED),
    "kind csg": (CHOICE.replace("mdp", "csg"), "Pmax=? [ F x=1 ]", REFUSED),
    "kind idtmc": (WALK.replace("dtmc", "idtmc"), "P=? [ X x=1 ]", REFUSED),
    "kind imdp": (CHOICE.replace("mdp", "imdp"), "Pmax=? [ F x=1 ]", REFUSED),
    # Constants.
    "constant int": expression("k/8", "3/8", "const int k = 3;"),
    "constant without type": expression("k/8", "3/8", "const k = 3;"),
    "constant double": expression("k", "3/10", "const double k = 0.3;"),
    "constant double of an int": expression("k/4", "3/4", "const double k = 3;"),
    "constant bool": expression("k ? 1/8 : 1/4", "1/8", "const bool k = true;"),
    "constant rate": expression("k", "3/10", "const rate k = 0.3;"),
    "constant prob": expression("k", "3/10", "const prob k = 0.3;"),
    "constant of old form rate": expression("k", REFUSED, "rate k = 0.3;"),
    "constant of old form prob": expression("k", REFUSED, "prob k = 0.3;"),
    "constant of constants": expression("k/8", "6/8", "const int k = 2*j;\nconst int j = 3;"),
    "constant open": expression("k", REFUSED, "const double k;"),
    "constant of itself": expression("k", REFUSED, "const double k = 1-k;"),
    "constant int of a double": expression("k/8", REFUSED, "const int k = 2.5;"),
    # Variables.
    "variable range": (chain("  x : [1..3];\n  [] x<3 -> (x'=x+1);\n  [] x=3 -> true;"), "filter(count, true)", "3"),
    "variable init": (chain("  x : [1..3] init 2;\n  [] x<3 -> (x'=x+1);\n  [] x=3 -> true;"), "filter(count, true)", "2"),
    "variable bool": (chain("  x : bool;\n  [] !x -> 1/3 : (x'=true) + 2/3 : true;\n  [] x -> true;"), "P=? [ X x ]", "1/3"),
    "variable of constants": (chain("  x : [k-1..2*k] init k;\n  [] x<2*k -> (x'=x+1);\n  [] x=2*k -> true;", "const int k=4;"),
                              "filter(count, true)", "5"),
    "variable out of range": (chain("  x : [0..1];\n  [] true -> (x'=x+1);"), "P=? [ F x=1 ]", REFUSED),
    "variable unbounded": (chain("  x : int;\n  [] true -> (x'=1);"), "P=? [ F x=1 ]", REFUSED),
    "variable clock": (chain("  x : clock;\n  [] true -> true;"), "P=? [ F true ]", REFUSED),
    "variable array": (chain("  x : array [0..1] of [0..1];\n  [] true -> true;"), "P=? [ F true ]", REFUSED),
    "variable twice": (chain("  x : [0..1];\n  x : bool;\n  [] true -> true;"), "P=? [ F true ]", REFUSED),
    "global": (chain("  [] g<3 -> 1/4 : (g'=3) + 3/4 : (g'=4);\n  [] g>=3 -> true;", "global g : [0..4] init 1;"), "P=? [ F g=3 ]", "1/4"),
    "global assigned by one that synchronises": (
        "dtmc\nglobal g : [0..1];\nmodule a [s] true -> (g'=1); endmodule\nmodule b [s] true -> true; endmodule\n",
        "P=? [ F g=1 ]", "1"),
    "global assigned by two that synchronise": (
        "dtmc\nglobal g : [0..2];\nmodule a [s] true -> (g'=1); endmodule\nmodule b [s] true -> (g'=2); endmodule\n",
        "P=? [ F g=1 ]", REFUSED),
    "variable of another module assigned": (
        "dtmc\nmodule a x:[0..1]; [] true -> true; endmodule\nmodule b [] true -> (x'=1); endmodule\n", "P=? [ F x=1 ]", REFUSED),
    "variable of another module read": (
        "mdp\nmodule a x:[0..1]; [] x=0 -> (x'=1); [] x=1 -> true; endmodule\n"
        "module b y:[0..1]; [] x=1 -> (y'=1); endmodule\n", "Pmax=? [ F y=1 ]", "1"),
    # Commands.
    "command true": (chain("  x : [0..1];\n  [] x=0 -> 1/2 : true + 1/2 : (x'=1);\n  [] x=1 -> true;"), "P=? [ X x=0 ]", "1/2"),
    "command of several updates": (chain("  x : [0..2];\n  y : [0..2] init 2;\n  [] x=0 -> (x'=y) & (y'=x);\n  [] x>0 -> true;"),
                                   "P=? [ X (x=2 & y=0) ]", "1"),
    "command that updates twice": (chain("  x : [0..2];\n  [] true -> (x'=1) & (x'=2);"), "P=? [ X x=2 ]", REFUSED),
    "command without weight": (chain("  x : [0..2];\n  [] x=0 -> (x'=1);\n  [] x>0 -> true;"), "P=? [ X x=1 ]", "1"),
    "command of a weight zero": (chain("  x : [0..2];\n  [] x=0 -> 0 : (x'=2) + 1 : (x'=1);\n  [] x>0 -> true;"), "filter(count, true)", "2"),
    "command of a sum that is not one": (chain("  x : [0..2];\n  [] x=0 -> 1/3 : (x'=2) + 1/3 : (x'=1);"), "P=? [ X x=1 ]", REFUSED),
    "command of a negative weight": (chain("  x : [0..2];\n  [] x=0 -> -1/3 : (x'=2) + 4/3 : (x'=1);"), "P=? [ X x=1 ]", REFUSED),
    "command of intervals": (chain("  x : [0..2];\n  [] x=0 -> [0.1,0.5] : (x'=2) + [0.5,0.9] : (x'=1);"), "P=? [ X x=1 ]", REFUSED),
    "commands of a dtmc that overlap": (chain("  x : [0..2];\n  [] x=0 -> (x'=1);\n  [] x=0 -> (x'=2);\n  [] x>0 -> true;"),
                                        "P=? [ F x=1 ]", "1/2"),
    "commands of a ctmc that race": (chain("  x : [0..2];\n  [] x=0 -> 1 : (x'=1);\n  [] x=0 -> 3 : (x'=2);\n  [] x>0 -> 1 : true;",
                                           kind="ctmc"), "P=? [ F x=1 ]", "1/4"),
    "deadlock": (chain("  x : [0..1];\n  [] x=0 -> (x'=1);"), 'P=? [ F "deadlock" ]', "1"),
    # Modules and their composition.
    "module renamed": ("mdp\nmodule a x:[0..1]; [go] x=0 -> 1/4:(x'=1)+3/4:(x'=0); [stop] x=1 -> true; endmodule\n"
                       "module b = a [ x=y, go=go2, stop=stop2 ] endmodule\n", "Pmax=? [ F<=2 x=1&y=1 ]", "1/16"),
    "module renamed without its variable": ("mdp\nmodule a x:[0..1]; [] true -> true; endmodule\nmodule b = a [ go=go2 ] endmodule\n",
                                            "Pmax=? [ F true ]", REFUSED),
    "synchronisation": ("dtmc\nmodule a x:[0..1]; [s] x=0 -> 1/2:(x'=1)+1/2:true; [s] x=1 -> true; endmodule\n"
                        "module b y:[0..1]; [s] y=0 -> 1/3:(y'=1)+2/3:true; [s] y=1 -> true; endmodule\n", "P=? [ X (x=1&y=1) ]", "1/6"),
    "synchronisation of rates": ("ctmc\nmodule a x:[0..1]; [s] x=0 -> 2:(x'=1); [] x=0 -> 6:true; [] x=0 -> 6:(x'=1); endmodule\n"
                                 "module b y:[0..1]; [s] y=0 -> 3:(y'=1); endmodule\n", "P=? [ X y=1 ]", "1/3"),
    "system full": ("mdp\nmodule a x:[0..1]; [s] x=0 -> (x'=1); endmodule\nmodule b y:[0..1]; [s] y=0 -> (y'=1); endmodule\n"
                    "system a || b endsystem\n", "filter(count, true)", "2"),
    "system interleaved": ("mdp\nmodule a x:[0..1]; [s] x=0 -> (x'=1); endmodule\nmodule b y:[0..1]; [s] y=0 -> (y'=1); endmodule\n"
                           "system a ||| b endsystem\n", "filter(count, true)", "4"),
    "system on actions": ("mdp\nmodule a x:[0..1]; [s] x=0 -> (x'=1); [t] x=1 -> (x'=0); endmodule\n"
                          "module b y:[0..1]; [s] y=0 -> (y'=1); [t] y=1 -> (y'=0); endmodule\nsystem a |[s]| b endsystem\n",
                          "filter(count, true)", "4"),
    "system hiding": ("mdp\nmodule a x:[0..1]; [s] x=0 -> (x'=1); endmodule\nmodule b y:[0..1]; [s] y=0 -> (y'=1); endmodule\n"
                      "system a/{s} || b endsystem\n", "filter(count, true)", "4"),
    "system renaming": ("mdp\nmodule a x:[0..1]; [s] x=0 -> (x'=1); endmodule\nmodule b y:[0..1]; [s] y=0 -> (y'=1); endmodule\n"
                        "system a{s<-t} || b endsystem\n", "filter(count, true)", "4"),
    "system of an unknown module": (WALK + "system walk || other endsystem\n", "P=? [ X x=1 ]", REFUSED),
    "system twice": (WALK + "system walk endsystem\nsystem walk endsystem\n", "P=? [ X x=1 ]", REFUSED),
    "init endinit": (chain("  x : [0..3];\n  [] x<3 -> (x'=3);\n  [] x=3 -> true;", "init x>0 & x<3 endinit"), 'filter(count, "init")', "2"),
    "init twice": (chain("  x : [0..3];\n  [] true -> true;", "init x>0 endinit\ninit x>1 endinit"), "P=? [ F x=1 ]", REFUSED),
    "init of no state": (chain("  x : [0..3];\n  [] true -> true;", "init x>3 endinit"), "P=? [ F x=1 ]", REFUSED),
    "init with initial value": (chain("  x : [0..3] init 1;\n  [] true -> true;", "init x>0 endinit"), "P=? [ F x=1 ]", REFUSED),
    "invariant": ("pta\nmodule m x:clock; invariant x<=1 endinvariant [] true -> true; endmodule\n", "Pmax=? [ F true ]", REFUSED),
    "invariant of an mdp": (chain("  x : [0..1];\n  invariant x<=1 endinvariant\n  [] true -> true;", kind="mdp"), "Pmax=? [ F true ]", REFUSED),
    "observables": ("mdp\nobservables x endobservables\nmodule m x:[0..1]; [] true -> true; endmodule\n", "Pmax=? [ F true ]", REFUSED),
    "observable": ("mdp\nobservable \"o\" = x>0;\nmodule m x:[0..1]; [] true -> true; endmodule\n", "Pmax=? [ F true ]", REFUSED),
    "player": ("smg\nplayer p1 m, [a] endplayer\nmodule m x:[0..1]; [a] true -> true; endmodule\n", "Pmax=? [ F true ]", REFUSED),
    "preprocessor": ("dtmc\n#const N#\nmodule m x:[0..1]; [] true -> true; endmodule\n", "P=? [ F true ]", REFUSED),
    # Formulas, labels, rewards.
    "formula": expression("f/8", "3/8", "formula f = g+1;\nformula g = 2;"),
    "formula of itself": expression("f", REFUSED, "formula f = 1-f;"),
    "label": (WALK, 'P=? [ F<=3 "top" ]', "1/64"),
    "label without quotes": (WALK + "label low = x=0;", "P=? [ X x=1 ]", REFUSED),
    "label in a guard": (WALK + 'module n y:[0..1]; [] "top" -> (y\'=1); endmodule', "P=? [ X x=1 ]", REFUSED),
    "rewards of states": (WALK, 'R{"high"}=? [ C<=3 ]', "5/16"),
    "rewards of actions": (WALK, 'R{"steps"}=? [ C<=3 ]', "3"),
    "rewards of the empty action": (WALK.replace("[step] true : 1;", "[] true : 1;"), 'R{"steps"}=? [ C<=2 ]', "0"),
    "rewards without name": (WALK + "rewards x=0 : 9; endrewards\n", "R{3}=? [ C<=1 ]", "9"),
    "rewards that add up": (WALK + 'rewards "both" x=0 : 1; x<2 : 2; [step] x=0 : 4; endrewards\n', 'R{"both"}=? [ C<=1 ]', "7"),
    "rewards of a ctmc": (RATES, 'R{"t"}=? [ F x=2 ]', "7/3"),
    "rewards with a constant of double": (WALK + 'const double c = 0.1;\nrewards "c" true : c; endrewards\n', 'R{"c"}=? [ C<=3 ]', "3/10"),
    "rewards twice": (WALK + 'rewards "high" true : 1; endrewards\n', "P=? [ X x=1 ]", REFUSED),
    "rewards that are negative": (WALK + 'rewards "neg" true : -1; endrewards\n', 'R{"neg"}=? [ F x=3 ]', REFUSED),
    "rewards that are negative, in steps": (WALK + 'rewards "neg" true : -1; endrewards\n', 'R{"neg"}=? [ C<=3 ]', "-3"),
    # Expressions.
    "expression precedence of arithmetic": expression("(1+2*3-8/2-1)/4", "2/4"),
    "expression minus is left": expression("(9-4-3)/4", "2/4"),
    "expression division is left": expression("8/4/4", "1/2"),
    "expression unary minus": expression("-y/4", "3/4"),
    "expression decimals": expression("0.125", "1/8"),
    "expression exponents": expression("1.25e-1", "1/8"),
    "expression many digits": expression("0.12345678901234567890123", "12345678901234567890123/100000000000000000000000"),
    "expression min": expression("min(3,1,2)/4", "1/4"),
    "expression max": expression("max(1,3,2)/4", "3/4"),
    "expression floor": expression("floor(-2.5)/-4", "3/4"),
    "expression ceil": expression("ceil(2.5)/4", "3/4"),
    "expression round": expression("round(2.5)/4", "3/4"),
    "expression round below zero": expression("round(-2.5)/-4", "2/4"),
    "expression pow": expression("pow(2,3)/16", "1/2"),
    "expression pow of doubles": expression("pow(0.5,2)", "1/4"),
    "expression mod": expression("mod(y,4)/4", "1/4"),
    "expression func": expression("func(min,3,1)/4", "1/4"),
    "expression choice": expression("b ? y=-3 ? 1/4 : 1/8 : 1/2", "1/4"),
    "expression unknown function": expression("sin(1)", REFUSED),
    "expression of too few operands": expression("pow(2)", REFUSED),
    "expression that divides by zero": expression("1/(y+3)", REFUSED),
    "expression of an unknown name": expression("z", REFUSED),
    "expression of a bool as a number": expression("b+1", REFUSED),
    "condition not": condition("!(y=-3)", False),
    "condition and, or": condition("y=1 & y=2 | b", True),
    "condition implies": condition("y=1 => false", True),
    "condition implies from the left": condition("y=1 => y=1 => y=1", False),
    "condition iff": condition("y=1 <=> b", False),
    "condition of equality and comparison": condition("y<0 = b", True),
    "condition unequal": condition("y!=-3", False),
    "condition >=": condition("y>=-3", True),
    "condition of exact decimals": condition("0.1+0.2=0.3 & 1/3!=0.333333333333333333333333", True),
    "condition of minus": condition("y<-1", True),
    # Properties: paths.
    "path X": (WALK, "P=? [ X x=1 ]", "1/4"),
    "path F": (WALK, "P=? [ F x=3 ]", "1"),
    "path G": (WALK, "P=? [ G<=2 x<2 ]", "15/16"),
    "path U": (CHOICE, "Pmax=? [ x!=3 U x=2 ]", "1/2"),
    "path W": (CHOICE, "Pmin=? [ x=0 W x=1 ]", "1/5"),
    "path R": (CHOICE, "Pmax=? [ x=1 R x<3 ]", "1"),
    "path F<=": (WALK, "P=? [ F<=3 x=3 ]", "1/64"),
    "path F<": (WALK, "P=? [ F<4 x=3 ]", "1/64"),
    "path F>=": (WALK, "P=? [ F>=1 x=3 ]", "1"),
    "path F>": (CHOICE, "Pmax=? [ F>0 x=1 ]", "1/2"),
    "path F=": (WALK, "P=? [ F=1 x=0 ]", "3/4"),
    "path F[,]": (WALK, "P=? [ F[1,2] x=1 ]", "7/16"),
    "path U with bounds": (WALK, "P=? [ x<2 U[2,2] x=2 ]", "1/16"),
    "path bound by a constant": (WALK + "const int t = 3;", "P=? [ F<=t (x=3) ]", "1/64"),
    "path bound that is not whole": (WALK, "P=? [ F<=2.5 x=3 ]", REFUSED),
    "path bound that is nearly whole": (WALK, "P=? [ F<=3.00000000000000000001 x=3 ]", REFUSED),
    "path bound that is negative": (WALK, "P=? [ F<=-1 x=3 ]", REFUSED),
    "path bound that is empty": (WALK, "P=? [ F[3,2] x=3 ]", REFUSED),
    "path bound of X": (WALK, "P=? [ X<=3 x=3 ]", REFUSED),
    "path of real time": (RATES, "P=? [ F<=0.25 x>0 ]", 1 - math.exp(-2)),
    "path of an interval of real time": (RATES.replace("[back] x>0 -> 4 : (x'=0)", "[back] x>0 -> 1 : true"), "P=? [ F[0.1,0.3] x>0 ]", 1 - math.exp(-2.4)),
    "path binds least": (WALK, "P=? [ F<=3 x=3 & false ]", "0"),
    "path of several operators": (WALK, "P=? [ (X x=1) & (X X x=2) ]", "1/16"),
    "path G F": (CHOICE, "Pmax=? [ G F x=2 ]", "1/2"),
    "path negated": (WALK, "P=? [ !(F<=3 x=3) ]", "63/64"),
    "path implication": (WALK, "P=? [ (X x=1) => (X X x=2) ]", "13/16"),
    # Properties: operators.
    "operator P with a bound": (WALK, "P>=1/4 [ X x=1 ]", "true"),
    "operator P with a strict bound": (WALK, "P>0.25 [ X x=1 ]", "false"),
    "operator P below": (WALK, "P<0.2500000000000000000001 [ X x=1 ]", "true"),
    "operator P with a bound above one": (WALK, "P>1.5 [ X x=1 ]", REFUSED),
    "operator Pmin": (CHOICE, "Pmin=? [ F x=1 ]", "1/5"),
    "operator P min": (CHOICE, "P min=? [ F x=1 ]", "1/5"),
    "operator P of an mdp with a bound": (CHOICE, "P>=0.2 [ F x=1 ]", "true"),
    "operator P of an mdp without direction": (CHOICE, "P=? [ F x=1 ]", REFUSED),
    "operator S": (RATES, "S=? [ x=0 ]", Fraction(1, 3)),
    "operator S with a bound": (RATES, "S>0.3 [ x=0 ]", "true"),
    "operator R S, next to a bound": (chain("  x : [0..1];\n  [] x=0 -> (x'=1);\n  [] x=1 -> true;") +
                                      "rewards x=1 : 0.3; endrewards\n", "R<=0.29999999999999999999999 [ S ]", "not true"),
    "operator S of an mdp": (CHOICE, "S=? [ x=0 ]", REFUSED),
    "operator R F": (WALK, 'R{"steps"}=? [ F x=3 ]', "84"),
    "operator R with a bound": (WALK, 'R{"steps"}<84 [ F x=3 ]', "false"),
    "operator R by number": (WALK, "R{2}=? [ C<=3 ]", "5/16"),
    "operator R by default": (WALK, "R=? [ C<=3 ]", "3"),
    "operator R of an unknown name": (WALK, 'R{"none"}=? [ C<=3 ]', REFUSED),
    "operator R of number zero": (WALK, "R{0}=? [ C<=3 ]", REFUSED),
    "operator Rmax": (CHOICE, "Rmax=? [ C ]", "7"),
    "operator R min": (CHOICE, 'R{"r"}min=? [ C ]', "3"),
    "operator Rmin by name": (CHOICE, 'Rmin{"r"}=? [ C<=1 ]', "3"),
    "operator R I": (WALK, 'R{"high"}=? [ I=2 ]', "5/16"),
    "operator R C": (CHOICE, "Rmax=? [ C ]", "7"),
    "operator R S": (RATES, 'R{"t"}=? [ S ]', Fraction(32, 3)),
    "operator R X": (WALK, 'R{"steps"}=? [ X x>=0 ]', "1"),
    "operator R that never ends": (CHOICE, "Rmax=? [ F x=1 ]", "inf"),
    "operator R F with a bound": (WALK, "R=? [ F<=3 x=3 ]", REFUSED),
    "operator R G": (WALK, "R=? [ G x=3 ]", REFUSED),
    "operator R C with a discount": (WALK, "R=? [ C{0.5} ]", REFUSED),
    "operator E": (WALK, "E [ F x=3 ]", REFUSED),
    "operator A": (WALK, "A [ F x=3 ]", REFUSED),
    "operator multi": (CHOICE, "multi(Pmax=? [ F x=1 ], P>=0.1 [ F x=2 ])", REFUSED),
    "operator of coalitions": (CHOICE, "<<p1>> Pmax=? [ F x=1 ]", REFUSED),
    "operator of coalitions, for all": (CHOICE, "[[p1]] Pmax=? [ F x=1 ]", REFUSED),
    "operator P nested": (WALK, "P=? [ F<=1 P>=1/4 [ X x=2 ] ]", "1/4"),
    "operator nested in reward": (WALK, 'R{"steps"}=? [ F P>=1/16 [ F<=2 x=3 ] ]', "4"),
    "operator in braces": (WALK, "P=? [ F x=3 {x=1} ]", REFUSED),
    "operator in braces with min": (WALK, "P=? [ F x=3 {x=1}{min} ]", REFUSED),
    "operator of arithmetic": (WALK, "2*P=? [ X x=1 ] + 1", "3/2"),
    "operator of a quotient": (WALK, "P=? [ F<=3 x=3 ] / P=? [ F<=2 x=2 ]", "1/4"),
    "operator of comparison": (WALK, "P=? [ X x=1 ] = 0.25", "true"),
    "operator of logic": (WALK, "P>0.2 [ X x=1 ] & !(P>0.3 [ X x=1 ])", "true"),
    "operator of a function": (WALK, "floor(P=? [ X x=1 ])", REFUSED),
    # Properties: filters and files.
    "filter min": (WALK, "filter(min, P=? [ F<=1 x=3 ], x>=2)", "1/4"),
    "filter max": (WALK, "filter(max, P=? [ F<=1 x=3 ], x<=2)", "1/4"),
    "filter sum": (WALK, "filter(sum, P=? [ F<=1 x=3 ])", "5/4"),
    "filter +": (WALK, "filter(+, P=? [ F<=1 x=3 ])", "5/4"),
    "filter avg": (WALK, "filter(avg, P=? [ F<=1 x=3 ])", "5/16"),
    "filter count": (WALK, "filter(count, x>1)", "2"),
    "filter forall": (WALK, "filter(forall, x>0)", "false"),
    "filter &": (WALK, "filter(&, x>=0)", "true"),
    "filter exists": (WALK, "filter(exists, x=2)", "true"),
    "filter |": (WALK, "filter(|, x=4)", "false"),
    "filter first": (WALK, "filter(first, P=? [ X x=3 ], x>=2)", "1/4"),
    "filter state": (WALK, "filter(state, P=? [ X x=3 ], x=2)", "1/4"),
    "filter state of several": (WALK, "filter(state, P=? [ X x=3 ], x>=2)", REFUSED),
    "filter argmax": (WALK, "filter(argmax, P=? [ X x=3 ], x<3)", "1/4"),
    "filter argmin": (WALK, "filter(argmin, P=? [ X x=3 ], x>1)", "1/4"),
    "filter unknown": (WALK, "filter(median, P=? [ X x=3 ])", REFUSED),
    "filter of no state": (WALK, "filter(min, P=? [ X x=3 ], x>5)", REFUSED),
    "file label": (WALK, 'label "two" = x=2; P=? [ F<=2 "two" ]', "1/16"),
    "file constant": (WALK, "const int k = 2; P=? [ F<=2 x=k ]", "1/16"),
    "file name": (WALK, '"this": P=? [ X x=1 ];', "1/4"),
    "file comment": (WALK, "// P=? [ X x=2 ]\nP=? [ X x=1 ] // and no more", "1/4"),
    "file label init": (WALK, 'filter(count, "init")', "1"),
    "file label unknown": (WALK, 'P=? [ F "none" ]', REFUSED),
    "file with rest": (WALK, "P=? [ X x=1 ] )", REFUSED),
    "file with a word behind": (WALK, "P=? [ X x=1 ] x", REFUSED),
}


# What doubles do not tell apart.
ONLY_EXACT = {"condition of exact decimals", "path bound that is nearly whole", "operator P below"}


def run(plumb, files, model, properties, exact, options=()):
    (files / "m.prism").write_text(model)
    (files / "p.props").write_text(properties)
    command = [plumb, "prob", "m.prism", "p.props", "--json", "--timeout", "60", *(["--exact"] if exact else []), *options]
    return subprocess.run(command, cwd=files, capture_output=True, text=True, timeout=120)


def number(value):
    return {"inf": math.inf, "-inf": -math.inf}.get(value) if isinstance(value, str) else Fraction(value)


def complaint(done, expected, exact):
    """What is wrong with a run, or nothing."""
    said = (done.stderr + done.stdout).strip()[:300]
    if expected == REFUSED:
        if done.returncode != 2:
            return f"exit code {done.returncode} instead of a refusal: {said}"
        if not re.search(r"(m\.prism|p\.props):\d+:\d+", done.stderr + done.stdout):
            return f"refused without a place: {said}"
        return None
    if expected == "not true":
        # As close as this to a bound, an interval decides nothing; what it must not say is that it holds.
        holds = exact and json.loads(done.stdout)["results"][0].get("value") is True
        return "holds, which an interval cannot tell" if holds else None
    if done.returncode == 20 and not exact:
        return None  # a bound that is met exactly, which doubles cannot tell
    if done.returncode not in (0, 10):
        return f"exit code {done.returncode}: {said}"
    results = json.loads(done.stdout)["results"]
    if len(results) != 1:
        return f"{len(results)} results instead of one"
    found = results[0]
    if expected in ("true", "false"):
        return None if found["value"] is (expected == "true") else f"{found['value']} instead of {expected}"
    if expected == "inf":
        return None if found["value"] == "inf" else f"{found['value']} instead of infinity"
    if exact and isinstance(expected, str):
        return None if found.get("exact") and Fraction(found["exact"]) == Fraction(expected) else \
            f"{found.get('exact')} instead of {expected}"
    low, high = (number(end) for end in found["interval"])
    wanted = Fraction(expected)
    if found.get("guaranteed") is False:
        return None if abs(low - wanted) <= abs(wanted) / 1000 else f"{float(low)!r} instead of about {expected}"
    # The numbers of a model are the doubles next to those that are written.
    slack = abs(wanted) / 2**52 if isinstance(expected, str) else 1e-5
    return None if low - slack <= wanted <= high + slack else f"[{float(low)!r}, {float(high)!r}] instead of {expected}"


def method_complaints(plumb, files, model, properties, expected):
    """What any method says that is wrong; that one has no answer is no fault."""
    for method in METHODS:
        done = run(plumb, files, model, properties, False, ["--method", method])
        if done.returncode != 20 and (problem := complaint(done, expected, False)):
            yield f"{method}: {problem}"


def bound_complaints(plumb, files, model, properties, expected):
    """As a bound the value is met, and missed by what is less than a double can tell."""
    found = re.search(r"\b(P|R(?:\{[^}]*\})?)=\?", properties)
    if found is None or "mdp" in model or len(re.findall(r"=\?", properties)) > 1 or not properties.startswith(found.group(1)):
        return
    value, little = Fraction(expected), Fraction(1, 10**30)
    for relation, bound, is_true in ((">=", value, True), (">", value, False), ("<=", value, True), (">=", value + little, False), ("<", value + little, True)):
        if found.group(1) == "P" and bound > 1:
            continue
        text = properties.replace(found.group(0), f"{found.group(1)}{relation}{bound.numerator}.0/{bound.denominator}.0")
        done = run(plumb, files, model, text, True)
        if done.returncode not in (0, 10) or json.loads(done.stdout)["results"][0]["value"] is not is_true:
            yield f"{text} is not {is_true}: exit code {done.returncode} {(done.stderr + done.stdout)[:300]}"


def main():
    plumb, words = str(pathlib.Path(sys.argv[1]).resolve()), [word for word in sys.argv[2:] if word != "--methods"]
    has_methods = "--methods" in sys.argv
    wrong = []
    cases = {name: case for name, case in CASES.items() if not words or any(word in name for word in words)}
    with tempfile.TemporaryDirectory() as directory:
        for name, (model, properties, expected) in cases.items():
            if has_methods:
                if expected in (REFUSED, "not true") or name in ONLY_EXACT:
                    continue
                wrong += [f"{name}: {problem}" for problem in method_complaints(plumb, pathlib.Path(directory), model, properties, expected)]
                if isinstance(expected, str) and expected not in ("true", "false", "inf"):
                    wrong += [f"{name}: {problem}" for problem in bound_complaints(plumb, pathlib.Path(directory), model, properties, expected)]
                continue
            for exact in (True, False):
                if not exact and name in ONLY_EXACT:
                    continue
                if problem := complaint(run(plumb, pathlib.Path(directory), model, properties, exact), expected, exact):
                    wrong.append(f"{name}{' --exact' if exact else ''}: {problem}")
    if not words:
        used = set(re.findall(r"[A-Za-z]+", " ".join(m + " " + p for m, p, _ in CASES.values())))
        wrong += [f"no case has the keyword {word}" for word in KEYWORDS if word not in used]
    for line in wrong:
        print("WRONG:", line)
    print(f"{len(cases)} constructs, {len(wrong)} wrong")
    sys.exit(1 if wrong or not cases else 0)


if __name__ == "__main__":
    main()
