#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace plumb::frontend {

/// Of a function that a check calls which stands in no call of the source: the message of the Check.
inline constexpr const char* kCheckAttribute = "plumb-check";

/// Functions that stand for a property whatever their body does (reach_error, __VERIFIER_assume and their like, in each
/// file that has its own) become declarations, so that the interpreter and native code see the same.
void take_property_functions(llvm::Module& module);

/// Calls reach_error() at the labels of the source that have one of these names, unless that is done there anyway.
/// Needs debug information.
void mark_labels(llvm::Module& module, const std::vector<std::string>& names);

/// Of a function that stands for a label: what its name begins with. The length of the name of the label's function,
/// that name and the label's follow, with _ before each: plumb_at_4_main_done.
inline constexpr const char* kPlacePrefix = "plumb_at";

/// Before what stands at such a label: two fences that order nothing, then a call of the function that stands for it.
/// A thread comes to the label when it executes the first of them, and leaves it with the second. Needs debug
/// information.
void mark_places(llvm::Module& module);

/// Counts steps back to the head of a loop, calls of functions that may be open already, and longjmp(); a Check at each
/// says that there are at most so many. A computed goto counts wherever it goes. Library functions and models are not
/// counted, but what they call is.
void mark_termination(llvm::Module& module, std::uint64_t bound);

}  // namespace plumb::frontend
