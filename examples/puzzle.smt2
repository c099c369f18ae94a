; A sudoku with 21 clues that was made to be hard for people (Arto Inkala, 2012), over 81 bit-vectors of four bits.
; It has one solution. Draw it with
;
;   plumb solve examples/puzzle.smt2 | python3 examples/draw_puzzle.py
;
(set-logic QF_BV)
(define-sort Cell () (_ BitVec 4))
(define-fun is-digit ((c Cell)) Bool (and (bvuge c #x1) (bvule c #x9)))
(define-fun differ ((a Cell) (b Cell) (c Cell) (d Cell) (e Cell) (f Cell) (g Cell) (h Cell) (i Cell)) Bool
  (distinct a b c d e f g h i))

(declare-const c11 Cell)(declare-const c12 Cell)(declare-const c13 Cell)(declare-const c14 Cell)(declare-const c15 Cell)(declare-const c16 Cell)(declare-const c17 Cell)(declare-const c18 Cell)(declare-const c19 Cell)
(declare-const c21 Cell)(declare-const c22 Cell)(declare-const c23 Cell)(declare-const c24 Cell)(declare-const c25 Cell)(declare-const c26 Cell)(declare-const c27 Cell)(declare-const c28 Cell)(declare-const c29 Cell)
(declare-const c31 Cell)(declare-const c32 Cell)(declare-const c33 Cell)(declare-const c34 Cell)(declare-const c35 Cell)(declare-const c36 Cell)(declare-const c37 Cell)(declare-const c38 Cell)(declare-const c39 Cell)
(declare-const c41 Cell)(declare-const c42 Cell)(declare-const c43 Cell)(declare-const c44 Cell)(declare-const c45 Cell)(declare-const c46 Cell)(declare-const c47 Cell)(declare-const c48 Cell)(declare-const c49 Cell)
(declare-const c51 Cell)(declare-const c52 Cell)(declare-const c53 Cell)(declare-const c54 Cell)(declare-const c55 Cell)(declare-const c56 Cell)(declare-const c57 Cell)(declare-const c58 Cell)(declare-const c59 Cell)
(declare-const c61 Cell)(declare-const c62 Cell)(declare-const c63 Cell)(declare-const c64 Cell)(declare-const c65 Cell)(declare-const c66 Cell)(declare-const c67 Cell)(declare-const c68 Cell)(declare-const c69 Cell)
(declare-const c71 Cell)(declare-const c72 Cell)(declare-const c73 Cell)(declare-const c74 Cell)(declare-const c75 Cell)(declare-const c76 Cell)(declare-const c77 Cell)(declare-const c78 Cell)(declare-const c79 Cell)
(declare-const c81 Cell)(declare-const c82 Cell)(declare-const c83 Cell)(declare-const c84 Cell)(declare-const c85 Cell)(declare-const c86 Cell)(declare-const c87 Cell)(declare-const c88 Cell)(declare-const c89 Cell)
(declare-const c91 Cell)(declare-const c92 Cell)(declare-const c93 Cell)(declare-const c94 Cell)(declare-const c95 Cell)(declare-const c96 Cell)(declare-const c97 Cell)(declare-const c98 Cell)(declare-const c99 Cell)

; Every cell holds a digit.
(assert (and (is-digit c11) (is-digit c12) (is-digit c13) (is-digit c14) (is-digit c15) (is-digit c16) (is-digit c17) (is-digit c18) (is-digit c19)))
(assert (and (is-digit c21) (is-digit c22) (is-digit c23) (is-digit c24) (is-digit c25) (is-digit c26) (is-digit c27) (is-digit c28) (is-digit c29)))
(assert (and (is-digit c31) (is-digit c32) (is-digit c33) (is-digit c34) (is-digit c35) (is-digit c36) (is-digit c37) (is-digit c38) (is-digit c39)))
(assert (and (is-digit c41) (is-digit c42) (is-digit c43) (is-digit c44) (is-digit c45) (is-digit c46) (is-digit c47) (is-digit c48) (is-digit c49)))
(assert (and (is-digit c51) (is-digit c52) (is-digit c53) (is-digit c54) (is-digit c55) (is-digit c56) (is-digit c57) (is-digit c58) (is-digit c59)))
(assert (and (is-digit c61) (is-digit c62) (is-digit c63) (is-digit c64) (is-digit c65) (is-digit c66) (is-digit c67) (is-digit c68) (is-digit c69)))
(assert (and (is-digit c71) (is-digit c72) (is-digit c73) (is-digit c74) (is-digit c75) (is-digit c76) (is-digit c77) (is-digit c78) (is-digit c79)))
(assert (and (is-digit c81) (is-digit c82) (is-digit c83) (is-digit c84) (is-digit c85) (is-digit c86) (is-digit c87) (is-digit c88) (is-digit c89)))
(assert (and (is-digit c91) (is-digit c92) (is-digit c93) (is-digit c94) (is-digit c95) (is-digit c96) (is-digit c97) (is-digit c98) (is-digit c99)))

; Rows, columns and boxes.
(assert (differ c11 c12 c13 c14 c15 c16 c17 c18 c19))
(assert (differ c21 c22 c23 c24 c25 c26 c27 c28 c29))
(assert (differ c31 c32 c33 c34 c35 c36 c37 c38 c39))
(assert (differ c41 c42 c43 c44 c45 c46 c47 c48 c49))
(assert (differ c51 c52 c53 c54 c55 c56 c57 c58 c59))
(assert (differ c61 c62 c63 c64 c65 c66 c67 c68 c69))
(assert (differ c71 c72 c73 c74 c75 c76 c77 c78 c79))
(assert (differ c81 c82 c83 c84 c85 c86 c87 c88 c89))
(assert (differ c91 c92 c93 c94 c95 c96 c97 c98 c99))
(assert (differ c11 c21 c31 c41 c51 c61 c71 c81 c91))
(assert (differ c12 c22 c32 c42 c52 c62 c72 c82 c92))
(assert (differ c13 c23 c33 c43 c53 c63 c73 c83 c93))
(assert (differ c14 c24 c34 c44 c54 c64 c74 c84 c94))
(assert (differ c15 c25 c35 c45 c55 c65 c75 c85 c95))
(assert (differ c16 c26 c36 c46 c56 c66 c76 c86 c96))
(assert (differ c17 c27 c37 c47 c57 c67 c77 c87 c97))
(assert (differ c18 c28 c38 c48 c58 c68 c78 c88 c98))
(assert (differ c19 c29 c39 c49 c59 c69 c79 c89 c99))
(assert (differ c11 c12 c13 c21 c22 c23 c31 c32 c33))
(assert (differ c14 c15 c16 c24 c25 c26 c34 c35 c36))
(assert (differ c17 c18 c19 c27 c28 c29 c37 c38 c39))
(assert (differ c41 c42 c43 c51 c52 c53 c61 c62 c63))
(assert (differ c44 c45 c46 c54 c55 c56 c64 c65 c66))
(assert (differ c47 c48 c49 c57 c58 c59 c67 c68 c69))
(assert (differ c71 c72 c73 c81 c82 c83 c91 c92 c93))
(assert (differ c74 c75 c76 c84 c85 c86 c94 c95 c96))
(assert (differ c77 c78 c79 c87 c88 c89 c97 c98 c99))

; The clues.
(assert (and (= c11 #x8)))
(assert (and (= c23 #x3) (= c24 #x6)))
(assert (and (= c32 #x7) (= c35 #x9) (= c37 #x2)))
(assert (and (= c42 #x5) (= c46 #x7)))
(assert (and (= c55 #x4) (= c56 #x5) (= c57 #x7)))
(assert (and (= c64 #x1) (= c68 #x3)))
(assert (and (= c73 #x1) (= c78 #x6) (= c79 #x8)))
(assert (and (= c83 #x8) (= c84 #x5) (= c88 #x1)))
(assert (and (= c92 #x9) (= c97 #x4)))

(check-sat)
(get-value (c11 c12 c13 c14 c15 c16 c17 c18 c19
            c21 c22 c23 c24 c25 c26 c27 c28 c29
            c31 c32 c33 c34 c35 c36 c37 c38 c39
            c41 c42 c43 c44 c45 c46 c47 c48 c49
            c51 c52 c53 c54 c55 c56 c57 c58 c59
            c61 c62 c63 c64 c65 c66 c67 c68 c69
            c71 c72 c73 c74 c75 c76 c77 c78 c79
            c81 c82 c83 c84 c85 c86 c87 c88 c89
            c91 c92 c93 c94 c95 c96 c97 c98 c99))
