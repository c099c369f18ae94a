// Rules for arrays: a read passes the writes that are certainly elsewhere.

#include "term/rewrite.h"

namespace plumb::term {

Term TermStore::select(Term array, Term index) {
  INVARIANT(is_array(array), "select should read an array");
  INVARIANT(sort(array).index_width == width(index) && !is_array(index),
            "an index should have the array's index width");
  for (;;) {
    if (op(array) == Op::ConstantArray) return child(array, 0);
    if (op(array) != Op::Store) break;
    if (child(array, 1) == index) return child(array, 2);
    if (!surely_distinct(child(array, 1), index)) break;
    array = child(array, 0);
  }
  return intern(Op::Select, width(array), array, index);
}

Term TermStore::store(Term array, Term index, Term element) {
  const Sort s = sort(array);
  INVARIANT(s.is_array(), "store should write to an array");
  INVARIANT(s.index_width == width(index) && !is_array(index), "an index should have the array's index width");
  INVARIANT(s.width == width(element) && !is_array(element), "an element should have the array's element width");
  if (op(element) == Op::Select && child(element, 0) == array && child(element, 1) == index) return array;
  if (op(array) == Op::ConstantArray && child(array, 0) == element) return array;
  if (op(array) == Op::Store && child(array, 1) == index) return store(child(array, 0), index, element);
  return intern(Op::Store, s.width, s.index_width, array, index, element);
}

Term TermStore::constant_array(std::uint32_t index_width, Term element) {
  INVARIANT(index_width > 0 && !is_array(element), "arrays should go from bit-vectors to bit-vectors");
  return intern(Op::ConstantArray, width(element), index_width, element);
}

}  // namespace plumb::term
