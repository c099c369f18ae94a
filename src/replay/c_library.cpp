#include "replay/c_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace plumb::replay {

bool is_in_library(const std::string& name) {
  static const std::array handles = {dlopen("libc.so.6", RTLD_LAZY | RTLD_LOCAL),
                                     dlopen("libm.so.6", RTLD_LAZY | RTLD_LOCAL)};
  return std::ranges::any_of(handles,
                             [&](void* handle) { return handle != nullptr && dlsym(handle, name.c_str()) != nullptr; });
}

}  // namespace plumb::replay
