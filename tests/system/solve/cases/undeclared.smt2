; purpose: A symbol that was not declared is named.
; exit: 2
; stderr: undeclared.smt2:4:14: error: unknown symbol 'y'
(assert (not y))
