; purpose: After an answer a script is not handed over: two solvers would answer for one script.
; arguments: --backend z3
; exit: 2
; expect: sat
; stderr: quantifier-after-answer.smt2:8:10: error: unsupported: 'forall'
; stderr: answers were already given
(check-sat)
(assert (forall ((x (_ BitVec 8))) (bvuge x #x00)))
