#pragma once

namespace llvm {
class Module;
}

namespace plumb::frontend {

/// Settles what clang's markers of lifetimes mean. Markers stay of variables of blocks that something else than a load
/// or store gets the address of, as long as it is certain where their lives end. All others go: of a module that was
/// optimised, of functions that call setjmp, of variables of a function's outermost block (which die when it returns),
/// and of variables whose block has a label, as a jump back to it does not leave the block, whatever clang says. With
/// markers clang sends each way out of a block through one place that looks up where the way leads to: the ways are
/// parted again, so that the branches are those of the source.
void settle_scopes(llvm::Module& module, bool is_unoptimised);

/// Takes all markers out of the module.
void drop_scopes(llvm::Module& module);

}  // namespace plumb::frontend
