#include "chain/value_column.h"

namespace plumb::chain {

// Not inlined into every container of reward structures, where compilers misread what the hash table does to its empty
// state.
ValueColumn::ValueColumn() = default;
ValueColumn::ValueColumn(ValueColumn&&) noexcept = default;
ValueColumn& ValueColumn::operator=(ValueColumn&&) noexcept = default;
ValueColumn::~ValueColumn() = default;

}  // namespace plumb::chain
