# plumb_module(NAME LIBRARIES lib… [PRIVATE lib…]) makes the library of the folder it is called in, without a main.cpp there.
#
# A module is included as "name/header.h". Each module's headers are reached through an include directory of its own, so that a
# file can only include the modules that its library links: a forbidden include does not compile.
add_library(plumb_flags INTERFACE)
target_compile_options(plumb_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor)
if(PLUMB_SANITIZE)
  target_compile_options(plumb_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(plumb_flags INTERFACE -fsanitize=address,undefined)
endif()
find_program(MOLD mold)
if(MOLD)
  target_link_options(plumb_flags INTERFACE -fuse-ld=mold)
endif()

function(plumb_module name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  string(REPLACE "/" "_" target plumb_${name})
  add_library(${target} STATIC ${sources})

  set(root ${CMAKE_BINARY_DIR}/modules/${target})
  get_filename_component(parent ${root}/${name} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${name} SYMBOLIC)
  target_include_directories(${target} PUBLIC ${root})
  target_link_libraries(${target} PUBLIC ${ARG_LIBRARIES} PRIVATE plumb_flags ${ARG_PRIVATE})
endfunction()
