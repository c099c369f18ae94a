; purpose: A model, values and a Boolean are printed as SMT-LIB.
; backends: native z3 cvc5 portfolio
; expect: sat
; expect: (
; expect:   (define-fun x () (_ BitVec 8) #x05)
; expect:   (define-fun |a b| () Bool true)
; expect: )
; expect: ((x #x05)
; expect:  ((bvadd x #x01) #x06))
(set-logic QF_BV)
(set-option :produce-models true)
(declare-const x (_ BitVec 8))
(declare-fun |a b| () Bool)
(assert (and |a b| (= (bvmul x #x03) #x0f)))
(check-sat)
(get-model)
(get-value (x (bvadd x #x01)))
