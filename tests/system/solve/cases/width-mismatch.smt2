; purpose: Operands of different widths are an error at the operator; the answers before it stay.
; backends: native z3 cvc5 portfolio
; exit: 2
; expect: sat
; stderr: width-mismatch.smt2:10:9: error: bvadd: operands have widths 8 and 16
(declare-const x (_ BitVec 8))
(check-sat)
(declare-const y (_ BitVec 16))
(assert (=
  #x00 (bvadd x y)))
