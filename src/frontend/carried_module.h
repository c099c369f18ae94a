#pragma once

#include <memory>
#include <set>
#include <string>

#include "base/budget.h"
#include "frontend/module.h"
#include "frontend/toolchain/carried_code.h"

namespace plumb::frontend {

/// One module of all units that a program carries. A name means what it means to the linker and the dynamic linker: the
/// first definition counts, and what a shared library does not export is its own. Throws UserError for bitcode of
/// another version or machine.
std::unique_ptr<llvm::Module> link_carried_code(const CarriedCode& code, llvm::LLVMContext& context, Machines machines,
                                                const Budget& budget);

/// Names that the program, when it was linked, took from files without code.
std::set<std::string> imported_names(const CarriedCode& code);

/// Names that code outside of the module can refer to: the program's libraries, and objects that are linked with it.
std::set<std::string> outside_references(const CarriedCode& code);

/// Takes out all that neither `entry` nor `roots` nor what runs before and after main can lead to.
void drop_unreachable(llvm::Module& module, const std::string& entry, const std::set<std::string>& roots);

}  // namespace plumb::frontend
