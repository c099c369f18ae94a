# Headers that nearly every file includes, parsed once: for a file of usual size they take more than half of the compiler's time.
#
# They are the standard library's and other people's, never ours: an include that the module order forbids must not compile for
# want of ours. Files include what they use all the same. A build with PLUMB_PCH=OFF shows where one does not; `make lint`
# looks at such a build.
option(PLUMB_PCH "Precompile headers of the standard library and of other libraries" ON)

if(PLUMB_PCH AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$")
  # Without these, ccache does not keep objects that were compiled with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

# plumb_headers(NAME HEADERS header… LIBRARIES lib…) precompiles headers for the targets that are given to plumb_use_headers()
# with this name. These must have the libraries' definitions and plumb_flags, too.
function(plumb_headers name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LIBRARIES" ${ARGN})
  if(NOT PLUMB_PCH)
    return()
  endif()
  set(source ${CMAKE_BINARY_DIR}/headers/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE plumb_flags ${ARG_LIBRARIES})
  list(TRANSFORM ARG_HEADERS REPLACE "(.+)" "<\\1>")
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

function(plumb_use_headers target name)
  if(PLUMB_PCH)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

set(PLUMB_STANDARD_HEADERS algorithm array atomic bit charconv chrono cmath cstdint cstring deque filesystem fstream functional
  limits map memory mutex optional set span sstream string string_view thread tuple unordered_map utility variant vector)
set(PLUMB_USUAL_HEADERS ${PLUMB_STANDARD_HEADERS} fmt/format.h fmt/ranges.h absl/container/flat_hash_map.h
  absl/container/flat_hash_set.h)
set(PLUMB_USUAL_LIBRARIES fmt::fmt spdlog::spdlog absl::flat_hash_map absl::flat_hash_set)
