; purpose: Reads over writes, extensionality and constant arrays.
; backends: native z3 cvc5 portfolio
; expect: unsat
; expect: sat
; expect: (((select a #x01) #xaa)
; expect:  ((select a #x02) #x00))
; expect: unsat
(set-logic QF_ABV)
(define-sort Memory () (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const a Memory)
(declare-const b Memory)
(declare-const i (_ BitVec 8))
(declare-const j (_ BitVec 8))
(push)
(assert (distinct (select (store a i #x01) j) (ite (= i j) #x01 (select a j))))
(check-sat)
(pop)
(push)
(assert (= a (store ((as const Memory) #x00) #x01 #xaa)))
(check-sat)
(get-value ((select a #x01) (select a #x02)))
(pop)
(assert (= (store a i #x05) (store b i #x05)))
(assert (= (select a i) (select b i)))
(assert (distinct a b))
(check-sat)
