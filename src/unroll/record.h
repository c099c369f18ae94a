#pragma once

#include <absl/container/flat_hash_map.h>

#include <span>
#include <string>
#include <vector>

#include "program/goal.h"
#include "result/gap.h"
#include "result/test_case.h"
#include "semantics/memory/unwritten_bytes.h"
#include "term/evaluator.h"
#include "unroll/paths.h"

namespace plumb::unroll {

using program::CodePoint;
using program::Goal;
using semantics::ObjectId;

/// What an execution to a bound met, in an order in which every run meets it. A run ends at the first of its events
/// that ends runs, so an event happens in a run if its condition holds and no such event before it happens.
class Record {
 public:
  enum class Kind : std::uint8_t {
    Violation,  ///< of `goal`
    Fault,      ///< that is no goal
    Excluded,   ///< an assumption does not hold
    End,        ///< the program ends here, without a fault
    Cut,        ///< the bound is reached
    Gap,        ///< what cannot be executed is reached: `gap`
    // These do not end the run
    Leak,    ///< at its end; a violation of `goal`
    Cover,   ///< where `goal` is decided
    Passed,  ///< what is not followed exactly is passed: `gap`
  };
  struct Event {
    Kind kind = Kind::Fault;
    Term when;
    std::size_t index = 0;  ///< the goal or the gap
  };
  struct Input {
    std::size_t position = 0;  ///< before this event
    Term when;
    std::string name;
    Term value;
  };

  /// Of an object with bytes that the program does not set.
  struct Creation {
    std::size_t position = 0;  ///< before this event
    Term when;
    std::string site;
    ObjectId object = 0;  ///< whose UnwrittenBytes they are; without a value
    Term value;           ///< of a variable that is a value
  };

  /// What threads do, as schedules count it (result/schedule.h), in the order of the run.
  struct Operation {
    enum class Kind : std::uint8_t {
      Start,    ///< a thread goes on for the first time
      Visible,  ///< it makes an operation
      Wait,     ///< likewise, and waits for a condition then
      Begin,    ///< likewise, which begins an atomic section
      Retract,  ///< what it did from there on was not done
      Create,   ///< `thread` is there now
    };
    std::size_t position = 0;  ///< before this event
    Term when;
    std::size_t thread = 0;
    Kind kind = Kind::Visible;
  };

  explicit Record(TermStore& terms) : terms_(terms), going_on_(terms.boolean(true)) {}

  void add(Kind kind, Term when, std::size_t index = 0);
  /// `kind` is Gap or Passed.
  void add_gap(Kind kind, Term when, const result::Gap& gap);
  void add_input(Term when, std::string name, Term value);
  void add_creation(Term when, std::string site, ObjectId object, Term value = {}) {
    creations_.push_back({events_.size(), when, std::move(site), object, value});
  }
  void add_operation(Term when, std::size_t thread, Operation::Kind kind) {
    operations_.push_back({events_.size(), when, thread, kind});
  }
  /// No event so far has ended the run.
  Term going_on() const noexcept { return going_on_; }

  std::span<const Event> events() const noexcept { return events_; }
  const result::Gap& gap(std::size_t index) const { return gaps_[index]; }

  /// The events for which `is_wanted` holds, as conditions that no event before them ends the run: unwanted ones are
  /// excluded, wanted ones need not be.
  struct Question {
    std::vector<std::size_t> events;
    std::vector<Term> conditions;
  };
  template <typename Wanted>
  Question question(Wanted&& is_wanted) const;

  /// What the run of a model asks for up to an event, the bytes that it does not set, as far as the model says them,
  /// and the order in which its threads go on, if it has more than one.
  result::TestCase test_case(const term::Assignment& model, std::size_t event,
                             const semantics::UnwrittenBytes& unwritten) const;

 private:
  result::Schedule schedule(term::Evaluator& evaluator, std::size_t event) const;

  TermStore& terms_;
  std::vector<Event> events_;
  std::vector<Input> inputs_;
  std::vector<Creation> creations_;
  std::vector<Operation> operations_;
  std::vector<result::Gap> gaps_;
  Term going_on_;
};

template <typename Wanted>
Record::Question Record::question(Wanted&& is_wanted) const {
  Question question;
  Term before = terms_.boolean(true);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    if (is_wanted(event)) {
      const Term condition = terms_.bit_and(event.when, before);
      if (terms_.is_false(condition)) continue;
      question.events.push_back(i);
      question.conditions.push_back(condition);
    } else if (event.kind < Kind::Leak) {
      before = terms_.bit_and(before, terms_.bit_not(event.when));
    }
  }
  return question;
}

}  // namespace plumb::unroll
