#pragma once

namespace llvm {
class Module;
}

namespace plumb::frontend {

/// Metadata of a variable whose life may end before that of its call, with no marker that says where: a text for a
/// gap, "the scope of 'x'".
inline constexpr const char* kLostScope = "plumb-lost-scope";

/// Makes lifetime markers those of the source. Only variables of blocks have them, and only if something else than a
/// load or store gets their address; what is in a function's outermost block dies when it returns. clang's markers stay
/// unless the block has a label, as a jump back to it does not leave the block, whatever clang says. Variables without,
/// and compound literals, get some by the blocks that instructions are in (block_lives.h); those of blocks that a
/// longjmp() leaves end where it arrives. What has none then, in optimised code everything, is lost. With markers clang
/// sends each way out of a block through one place that looks up where the way leads to: the ways are parted again, so
/// that the branches are those of the source.
void settle_scopes(llvm::Module& module, bool is_unoptimised);

/// Takes all markers out of the module.
void drop_scopes(llvm::Module& module);

}  // namespace plumb::frontend
