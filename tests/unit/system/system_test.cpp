#include "system/system.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "random_system.h"

namespace plumb::system {
namespace {

/// Expects exactly one problem, with `part` in its text.
void expect_problem(const System& system, const std::string& part) {
  const std::vector<std::string> problems = system.problems();
  ASSERT_EQ(problems.size(), 1U) << part;
  EXPECT_NE(problems.front().find(part), std::string::npos) << problems.front();
  EXPECT_THROW(system.check(), InternalError);
}

TEST(System, IsWellFormedWhenEmpty) {
  EXPECT_TRUE(System().problems().empty());
  EXPECT_NO_THROW(System().check());
}

TEST(System, NamesVariablesWithoutNamesByPosition) {
  System system;
  system.add_state({4, 0}, "x");
  system.add_state({4, 0}, "");
  system.add_input({4, 0}, "");
  EXPECT_EQ(system.state_name(0), "x");
  EXPECT_EQ(system.state_name(1), "state1");
  EXPECT_EQ(system.input_name(0), "input0");
}

TEST(System, FindsUndeclaredVariables) {
  System system;
  const Term stray = system.store().variable(4, "stray");
  system.add_wire(system.store().add(stray, system.add_input({4, 0}, "in")), "w");
  expect_problem(system, "refers to 'stray'");
}

TEST(System, FindsVariablesThatAreDeclaredTwice) {
  System system;
  system.add_input(system.add_state({4, 0}, "both"));
  expect_problem(system, "'both' is declared twice");
}

TEST(System, FindsInitialValuesOfInputs) {
  System system;
  system.add_state({4, 0}, "x");
  system.set_init(0, system.add_input({4, 0}, "in"));
  expect_problem(system, "refers to 'in'");
}

TEST(System, FindsInitialValuesOfLaterStatesAndOfTheStateItself) {
  System system;
  const Term x = system.add_state({4, 0}, "x");
  system.set_init(0, system.add_state({4, 0}, "y"));
  expect_problem(system, "refers to 'y'");
  System own;
  const Term z = own.add_state({4, 0}, "z");
  own.set_init(0, own.store().bit_not(z));
  expect_problem(own, "refers to 'z'");
  System right;
  right.add_state({4, 0}, "x");
  right.add_state({4, 0}, "y");
  right.set_init(1, right.store().bit_not(right.states()[0].variable));
  EXPECT_TRUE(right.problems().empty());
  EXPECT_TRUE(x);
}

TEST(System, FindsPropertiesThatAreNotBits) {
  System system;
  const Term x = system.add_state({4, 0}, "x");
  system.add_bad(x, "wide");
  expect_problem(system, "bad 'wide' should be a single bit");
  System with_array;
  with_array.add_constraint(with_array.add_state({1, 2}, "a"), "array");
  expect_problem(with_array, "constraint 'array' should be a single bit");
}

TEST(System, FindsMissingTerms) {
  System system;
  system.add_bad(Term{}, "none");
  expect_problem(system, "bad 'none' has no term");
}

TEST(System, FindsAnnotationsThatDoNotFit) {
  System system;
  const Term x = system.add_state({4, 0}, "x");
  system.add_annotation({"line", x, {{BitVector(5, 1), "one"}}});
  expect_problem(system, "another width");
}

TEST(System, RefusesValuesOfAnotherSort) {
  System system;
  system.add_state({4, 0}, "x");
  EXPECT_THROW(system.set_next(0, system.store().zero(5)), InternalError);
  EXPECT_THROW(system.set_init(0, system.store().constant_array(1, system.store().zero(4))), InternalError);
  system.set_next(0, system.store().zero(4));
  EXPECT_THROW(system.set_next(0, system.store().zero(4)), InternalError);
}

}  // namespace
}  // namespace plumb::system
