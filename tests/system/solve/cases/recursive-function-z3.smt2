; purpose: A command that only another solver follows is handed over before the first answer.
; backends: z3 portfolio
; needs: z3
; expect: unsat
(set-logic ALL)
(define-fun-rec f ((x (_ BitVec 4))) (_ BitVec 4) (ite (= x #x0) #x0 (f (bvsub x #x1))))
(assert (not (= (f #x3) #x0)))
(check-sat)
