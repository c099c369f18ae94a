#pragma once

#include <string>
#include <vector>

#include "lang/bip/run/emulate.h"

namespace plumb::bip {

/// A self-contained C++17 program that runs the model: `./a.out [--guide FILE] [--seed N] [--cycles N]`, where no more
/// than 0 cycles are no bound. It prints what `plumb bip --emulate` prints for the same guide, seed and bound, ends
/// with the same exit code (2 for a guide that cannot be followed), and compiles without warnings under -Wall -Wextra
/// -Wpedantic -Wconversion -Wshadow.
std::string to_cpp(const Model& model);

/// Components with their ports and connectors, and each atom's automaton, for Graphviz.
std::string to_dot(const Model& model);

/// The lines of an emulation, as `plumb bip --emulate` and emitted programs print them, without their newlines. Two
/// blanks are between the fields. The first line is the state at the start, then there is one for each step with what
/// it changed: by component its place, then its variables. Internal transitions have a line of their own, without a
/// number.
///
///     0  initial  timer.place S0, timer.t 0, timer.n 10, light.place G, light.m 3
///     1  c0:timer.tick  timer.t 0 -> 1
///        internal  light.place G -> Y
///     2  c0:timer.tick
///     deadlock after 2 interactions
std::string initial_line(const Model& model, const State& state);
std::string step_line(const Model& model, std::size_t number, const Choice& choice, const State& before,
                      const State& after);

/// The last line: `deadlock after 2 interactions`, `stopped after 1 interaction`, `the guide ends after 5
/// interactions`, `internal transitions do not end after 2 interactions`.
std::string end_line(EmulationEnd end, std::uint64_t interactions);

}  // namespace plumb::bip
