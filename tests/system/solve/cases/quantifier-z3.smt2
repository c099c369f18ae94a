; purpose: With a backend that takes it, a script outside is handed over as a whole.
; arguments: --backend z3
; needs: z3
; expect: sat
; expect: unsat
(set-logic BV)
(assert (forall ((x (_ BitVec 8))) (bvuge x #x00)))
(check-sat)
(assert (forall ((x (_ BitVec 8))) (bvugt x #x00)))
(check-sat)
