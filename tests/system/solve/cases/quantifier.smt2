; purpose: What is outside names the construct and the way out.
; exit: 2
; stderr: quantifier.smt2:6:10: error: unsupported: 'forall'
; stderr: --backend z3
(set-logic BV)
(assert (forall ((x (_ BitVec 8))) (bvuge x #x00)))
(check-sat)
