#pragma once

namespace llvm {
class Module;
}

namespace plumb::instrument {

/// Inlines calls of small leaf functions, so that regions grow: the callee has a body of at most `max_instructions`
/// without loops, without calls but LLVM's own markers, without variables whose address gets out, not variadic, not
/// noinline by the user's wish, not a name that program::intrinsic_of() knows. Bottom-up: what becomes a leaf by
/// inlining is one. Copies keep site metadata and get debug locations that say where they were inlined. A caller that
/// has grown large gets no more. Functions that nobody calls any longer stay.
void inline_leaf_functions(llvm::Module& module, unsigned max_instructions = 60);

}  // namespace plumb::instrument
