; purpose: A file that ends in the middle of a term says so at its end.
; exit: 2
; stderr: error: unexpected end of file
(declare-const x (_ BitVec 8))
(assert (= x (bvadd x
