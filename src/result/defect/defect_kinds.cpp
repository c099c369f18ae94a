#include "result/defect/defect_kinds.h"

#include <algorithm>
#include <array>

namespace plumb::result {
namespace {

constexpr std::array kKinds = {
    DefectKind{"array-out-of-bounds", "Array index out of bounds",
               "An array is indexed below 0, or at or behind its number of elements.",
               "Check the index against the number of elements before it is used; `<=` for `<` in a loop is the usual "
               "reason. Arrays inside a structure have bounds of their own.",
               129},
    DefectKind{
        "pointer-out-of-bounds", "Access beyond a heap object",
        "A pointer into memory from malloc(), calloc() or realloc() is used outside of the bytes that were asked "
        "for.",
        "Compare the size that was asked for with the offset of the access: a forgotten `* sizeof`, a forgotten "
        "end of a string, or an index that is not checked.",
        787},
    DefectKind{"array-pointer-out-of-bounds", "Access beyond a variable through a pointer",
               "A pointer to a local or global variable is used outside of that variable.",
               "Hand the size on with the pointer, and compare before the access. Library functions that write to a "
               "buffer need one that is large enough for all inputs.",
               787},
    DefectKind{"null-dereference", "Null pointer dereference", "A null pointer is used to read or write memory.",
               "Check results that may be null (malloc(), fopen(), searches) before they are used.", 476},
    DefectKind{"invalid-pointer", "Access at an invalid address",
               "Memory is read or written at an address where the program has no object.",
               "The pointer was computed wrongly, made of a number, or overwritten; see where its value comes from.",
               822},
    DefectKind{"uninitialised-pointer", "Uninitialised pointer", "A pointer is used that was never given a value.",
               "Give the pointer a value on every path that leads to its use.", 824},
    DefectKind{"invalid-call", "Invalid call",
               "A call goes to what is no function, or to a function with other parameters.",
               "See where the pointer to the function comes from, and whether the types agree.", 628},
    DefectKind{"use-after-free", "Use after free", "Memory is read or written after free() or realloc() took it back.",
               "Keep no pointer to an object that is freed, or free it later; realloc() may move what it is given.",
               416},
    DefectKind{"use-after-return", "Use after return",
               "A local variable is used through a pointer after its function has returned.",
               "Give back a copy, or memory that lives on.", 562},
    DefectKind{"use-after-scope", "Use after scope",
               "A local variable is used through a pointer after its block was left, or in a later round of its loop.",
               "Declare the variable in the block that uses it, or copy its value.", 562},
    DefectKind{"double-free", "Double free", "The same memory is freed twice.",
               "Decide who owns the object; set the pointer to null after free() where paths meet.", 415},
    DefectKind{"invalid-free", "Invalid free", "free() or realloc() is given a pointer that malloc() did not return.",
               "Free the start of an allocated object and nothing else: no variables, no pointers into its middle.",
               590},
    DefectKind{"leak", "Memory leak",
               "Nothing points to an allocated object any more, or at the program's end: it can not be freed.",
               "Free the object before its last pointer is lost, on early returns too.", 401, false},
    DefectKind{"write-to-constant", "Write to a constant", "A string literal or a constant variable is written to.",
               "Write to a copy; `const` on the pointer lets the compiler find this.", 119},
    DefectKind{"division-by-zero", "Division by zero", "An integer is divided by zero.",
               "Check the divisor before the division.", 369},
    DefectKind{"signed-overflow", "Signed integer overflow",
               "The result of signed arithmetic does not fit its type, which C leaves undefined.",
               "Use a wider or an unsigned type, or compare before the operation.", 190},
    DefectKind{"shift-out-of-range", "Shift out of range",
               "A value is shifted by a negative number of bits, or by its width or more.",
               "Check the number of bits before the shift.", 1335},
    DefectKind{"misaligned", "Misaligned access",
               "Memory is accessed at an address that is no multiple of the type's alignment.",
               "Copy the bytes with memcpy() instead of converting the pointer.", 188},
    DefectKind{"uninitialised-read", "Use of an uninitialised value",
               "A value that was never written decides a branch, is an address, or leaves the program.",
               "Give the variable or the allocated memory a value before it is used.", 457},
    DefectKind{"assertion", "Assertion failed", "An assertion or a check of the program does not hold.",
               "The input shows how it fails: either the code before it is wrong, or the assertion is.", 617},
    DefectKind{"error-reached", "Error function called", "The program calls a function that stands for an error.",
               "The input shows the way to the call.", 0},
    DefectKind{"abort", "Program aborted", "The program calls abort(), or is ended as if it did.",
               "The call stack shows who gave up, and why.", 617},
    DefectKind{"trap", "Trap", "The program comes to an instruction that stops it on purpose.",
               "The compiler puts one where nothing sensible can happen; see what leads there.", 0},
    DefectKind{"unreachable", "Unreachable code reached", "The program comes to a place that it declares unreachable.",
               "Either the declaration is wrong or what keeps runs away from it is.", 758},
    DefectKind{"stack-overflow", "Stack overflow", "The calls of the program need more stack than there is.",
               "Bound the depth of the recursion, or use a loop with a stack of its own.", 674},
    DefectKind{"deadlock", "Deadlock", "All threads of the program wait, and none can go on.",
               "Take locks in one order; see that every wait has somebody who ends it.", 833},
    DefectKind{"data-race", "Data race",
               "Two threads access the same memory, at least one writes, and nothing orders them.",
               "Guard both accesses with the same mutex, or make them atomic.", 362},
    DefectKind{"vla-size", "Array of no positive size",
               "The size of an array of variable length is 0 or negative when its declaration is reached.",
               "Check the number before the declaration, or allocate the array from the heap.", 131},
    DefectKind{"pointer-arithmetic", "Pointer arithmetic out of range",
               "A pointer is computed that points before its object or beyond the place just past its end.",
               "Compare indices and sizes as numbers, before they are added to a pointer.", 468},
};

}  // namespace

std::span<const DefectKind> defect_kinds() { return kKinds; }

const DefectKind* find_kind(std::string_view id) {
  const auto* found = std::ranges::find(kKinds, id, &DefectKind::id);
  return found == kKinds.end() ? nullptr : found;
}

}  // namespace plumb::result
