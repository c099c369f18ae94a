; purpose: A script with a command that nobody knows is not handed over: the other solver might answer without it.
; backends: z3 portfolio
; exit: 2
; stderr: unknown-command-z3.smt2:8:2: error: unknown command 'frobnicate'
(set-logic BV)
(declare-const p Bool)
(assert (forall ((x (_ BitVec 8))) (=> p (bvuge x #x00))))
(frobnicate (not p))
(check-sat)
