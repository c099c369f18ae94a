; purpose: Quoted symbols and comments may hold any character; columns count characters. äöü
; exit: 2
; expect: sat
; expect: ((|größe| #x2))
; stderr: latin1.smt2:11:21: error: unknown symbol 'x'
(declare-const |größe| (_ BitVec 4))
(assert (= |größe| #x2))
(check-sat)
(get-value (|größe|))
; ↓
(assert (= |größe|  x))
