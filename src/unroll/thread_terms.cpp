#include "unroll/thread_terms.h"

#include <algorithm>

#include "semantics/one_thread.h"

namespace plumb::unroll {

using program::Intrinsic;
using semantics::MutexKind;
using semantics::ThreadError;

namespace {

Term number(TermStore& terms, ThreadError error) { return terms.constant(32, static_cast<std::uint64_t>(error)); }

}  // namespace

void ThreadTerms::create(std::size_t thread, std::uint32_t pointer_width) {
  const Term no = terms_->boolean(false);
  while (all_.size() <= thread) all_.push_back({no, no, no, terms_->zero(pointer_width)});
  all_[thread].is_there = terms_->boolean(true);
}

void ThreadTerms::end(std::size_t thread, Term result) {
  all_[thread].has_ended = terms_->boolean(true);
  all_[thread].result = result;
}

Term ThreadTerms::is_alive(std::size_t thread) const {
  if (thread >= count()) return terms_->boolean(false);
  return terms_->bit_and(all_[thread].is_there, terms_->bit_not(all_[thread].has_ended));
}

Term ThreadTerms::has_others(std::size_t thread) const {
  Term any = terms_->boolean(false);
  for (std::size_t t = 0; t < all_.size(); ++t)
    if (t != thread) any = terms_->bit_or(any, is_alive(t));
  return any;
}

ThreadTerms::Mutex ThreadTerms::mutex(std::uint64_t address) const {
  const auto known = mutexes_.find(address);
  if (known != mutexes_.end()) return known->second;
  return {terms_->zero(kWidth), terms_->zero(kWidth), terms_->zero(kWidth)};
}

Term ThreadTerms::may_take(std::size_t self, const Mutex& mutex) const {
  const Term is_free = terms_->eq(mutex.owner, terms_->zero(kWidth));
  const Term counts = terms_->eq(mutex.kind, terms_->constant(kWidth, static_cast<std::uint64_t>(MutexKind::Counted)));
  return terms_->bit_or(is_free, terms_->bit_and(counts, terms_->eq(mutex.owner, owner_of(self))));
}

Term ThreadTerms::is_checked(std::size_t self, const Mutex& mutex) const {
  const Term checks = terms_->eq(mutex.kind, terms_->constant(kWidth, static_cast<std::uint64_t>(MutexKind::Checked)));
  return terms_->bit_and(checks, terms_->eq(mutex.owner, owner_of(self)));
}

Term ThreadTerms::blocks(std::size_t self, std::span<const Target> mutexes) const {
  Term blocks = terms_->boolean(false);
  for (const Target& target : mutexes) {
    const Mutex known = mutex(target.address);
    const Term goes_on = terms_->bit_or(may_take(self, known), is_checked(self, known));
    blocks = terms_->bit_or(blocks, terms_->bit_and(target.when, terms_->bit_not(goes_on)));
  }
  return blocks;
}

ThreadTerms::Outcome ThreadTerms::call(Intrinsic what, std::size_t self, std::span<const Target> mutexes) {
  const bool is_lock = what == Intrinsic::MutexLock;
  const Term zero = terms_->zero(kWidth);
  const Term one = terms_->one(kWidth);
  Term fails = terms_->boolean(false);
  for (const Target& target : mutexes) {
    Mutex known = mutex(target.address);
    const bool is_plain = known.kind == zero;
    Term is_refused;
    if (what == Intrinsic::MutexUnlock) {
      is_refused = terms_->bit_not(terms_->eq(known.owner, owner_of(self)));
      const Term gives = terms_->bit_and(target.when, terms_->bit_not(is_refused));
      const Term left = is_plain ? zero : terms_->sub(known.depth, one);
      known.owner = terms_->ite(terms_->bit_and(gives, terms_->eq(left, zero)), zero, known.owner);
      known.depth = terms_->ite(gives, left, known.depth);
    } else {
      is_refused = is_lock ? is_checked(self, known) : terms_->bit_not(may_take(self, known));
      const Term takes = terms_->bit_and(target.when, terms_->bit_not(is_refused));
      known.owner = terms_->ite(takes, owner_of(self), known.owner);
      known.depth = terms_->ite(takes, is_plain ? one : terms_->add(known.depth, one), known.depth);
    }
    fails = terms_->bit_or(fails, terms_->bit_and(target.when, is_refused));
    mutexes_[target.address] = known;
  }
  if (what == Intrinsic::MutexUnlock) return {fails, number(*terms_, ThreadError::NotPermitted)};
  return {fails, number(*terms_, is_lock ? ThreadError::Deadlock : ThreadError::Busy)};
}

void ThreadTerms::set_kind(std::span<const Target> mutexes, Term kind) {
  const Term low = terms_->extract(kind, kWidth - 1, 0);
  for (const Target& target : mutexes) {
    Mutex known = mutex(target.address);
    known.kind = terms_->ite(target.when, low, known.kind);
    mutexes_[target.address] = known;
  }
}

Term ThreadTerms::is_number_of(std::size_t thread, Term number) const {
  return terms_->bit_and(terms_->eq(number, terms_->constant(terms_->width(number), thread + 1)),
                         all_[thread].is_there);
}

Term ThreadTerms::joining_blocks(std::size_t self, Term number) const {
  Term blocks = terms_->boolean(false);
  for (std::size_t t = 0; t < all_.size(); ++t) {
    if (t == self) continue;
    const Term is_done = terms_->bit_or(all_[t].has_ended, all_[t].was_joined);
    blocks = terms_->bit_or(blocks, terms_->bit_and(is_number_of(t, number), terms_->bit_not(is_done)));
  }
  return blocks;
}

ThreadTerms::Joined ThreadTerms::join(std::size_t self, Term number) {
  Term fails = terms_->boolean(true);
  Term error = plumb::unroll::number(*terms_, ThreadError::NoSuchThread);
  Term result = terms_->zero(terms_->width(all_[self].result));
  for (std::size_t t = 0; t < all_.size(); ++t) {
    One& other = all_[t];
    const Term is_meant = is_number_of(t, number);
    const ThreadError wrong = t == self ? ThreadError::Deadlock : ThreadError::Invalid;
    const Term is_wrong = t == self ? terms_->boolean(true) : other.was_joined;
    error = terms_->ite(is_meant, plumb::unroll::number(*terms_, wrong), error);
    fails = terms_->ite(is_meant, is_wrong, fails);
    if (t == self) continue;
    result = terms_->ite(is_meant, other.result, result);
    // It does not block, so the thread has ended.
    const Term is_joined = terms_->bit_and(is_meant, terms_->bit_not(other.was_joined));
    other.has_ended = terms_->bit_or(other.has_ended, is_joined);
    other.was_joined = terms_->bit_or(other.was_joined, is_joined);
  }
  return {{fails, error}, result};
}

ThreadTerms ThreadTerms::choice(Term condition, ThreadTerms a, const ThreadTerms& b) {
  TermStore& terms = *a.terms_;
  const Term no = terms.boolean(false);
  const auto choose = [&](Term& own, Term other) {
    if (own != other) own = terms.ite(condition, own, other);
  };
  for (std::size_t t = 0; t < std::max(a.count(), b.count()); ++t) {
    if (t == a.count()) a.all_.push_back({no, no, no, terms.zero(terms.width(b.all_[t].result))});
    const One other = t < b.count() ? b.all_[t] : One{no, no, no, a.all_[t].result};
    choose(a.all_[t].is_there, other.is_there);
    choose(a.all_[t].has_ended, other.has_ended);
    choose(a.all_[t].was_joined, other.was_joined);
    choose(a.all_[t].result, other.result);
  }
  choose(a.has_moved, b.has_moved);
  for (const auto& [address, other] : b.mutexes_) a.mutexes_.try_emplace(address, a.mutex(address));
  for (auto& [address, own] : a.mutexes_) {
    const Mutex other = b.mutex(address);
    choose(own.owner, other.owner);
    choose(own.depth, other.depth);
    choose(own.kind, other.kind);
  }
  return a;
}

}  // namespace plumb::unroll
