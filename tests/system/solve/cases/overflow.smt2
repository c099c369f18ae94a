; purpose: Overflow predicates of SMT-LIB 2.7 and their older Z3 spellings agree.
; backends: native z3 cvc5 portfolio
; expect: unsat
; expect: sat
(set-logic QF_BV)
(declare-const x (_ BitVec 6))
(declare-const y (_ BitVec 6))
(push 1)
(assert (or (distinct (bvumulo x y) (not (bvumul_noovfl x y)))
            (distinct (bvsmulo x y) (not (and (bvsmul_noovfl x y) (bvsmul_noudfl x y))))
            (distinct (bvuaddo x y) (bvult (bvadd x y) x))))
(check-sat)
(pop 1)
(assert (and (bvsdivo x y) (bvnego x)))
(check-sat)
