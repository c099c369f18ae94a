#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace plumb::explore {

/// Threads that may change places. Where two of them are in the same local state and nothing else tells them apart,
/// what comes of a step of the second is what comes of one of the first, under other numbers; so it need not be made.
///
/// That they stay alike is guessed. What could tell them apart is what others do with their numbers: join them, and
/// do something when one has ended and the other has not. While joins of threads follow each other and nothing comes
/// between, it makes no difference which of them ends first. A search that relies on the guess comes to a state in
/// which that is not so, if there is one. Then the guess is mended(), and the search begins again.
class Symmetry {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  bool may_change(std::uint32_t a, std::uint32_t b) const { return is_on_ && !told_apart_.contains(std::minmax(a, b)); }
  /// No step of the second was made, as one of the first was.
  void changed(std::uint32_t a, std::uint32_t b) { add(changed_, told_apart_, a, b); }
  /// The one was joined and the other was not, and something else than a join follows.
  void told_apart(std::uint32_t a, std::uint32_t b) { add(told_apart_, changed_, a, b); }
  /// Something depends on numbers of threads, or on what they leave.
  void turn_off() {
    is_on_ = false;
    is_broken_ = is_broken_ || !changed_.empty();
  }
  bool is_broken() const noexcept { return is_broken_; }
  /// After that.
  void mend() {
    is_broken_ = false;
    changed_.clear();
  }

 private:
  void add(std::set<Pair>& to, const std::set<Pair>& opposite, std::uint32_t a, std::uint32_t b) {
    const Pair pair = std::minmax(a, b);
    to.insert(pair);
    is_broken_ = is_broken_ || opposite.contains(pair);
  }

  std::set<Pair> changed_;
  std::set<Pair> told_apart_;
  bool is_on_ = true;
  bool is_broken_ = false;
};

}  // namespace plumb::explore
