# src/modules.txt lists the modules in their order: PLUMB_MODULES, and for each PLUMB_LINKS_<name>, the modules that it links.
set(PLUMB_MODULES)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../src/modules.txt lines REGEX "^[a-z]" ENCODING UTF-8)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../src/modules.txt)
foreach(line IN LISTS lines)
  if(line MATCHES "^([a-z/]+) *\\|([a-z/ ]*)\\|")
    list(APPEND PLUMB_MODULES ${CMAKE_MATCH_1})
    separate_arguments(PLUMB_LINKS_${CMAKE_MATCH_1} UNIX_COMMAND "${CMAKE_MATCH_2}")
  endif()
endforeach()

# plumb_module(NAME [LIBRARIES lib…] [PRIVATE lib…] [HEADERS name] [LLVM path…]) makes the library of the folder it is called in,
# without a main.cpp there. It links the modules that src/modules.txt says, and the other libraries that are given. HEADERS:
# those of cmake/headers.cmake that it shall use, if not the usual ones. LLVM: folders and files that include LLVM; the others
# cannot.
#
# A module is included as "name/header.h". Each module's headers are reached through an include directory of its own, so that a
# file can only include the modules that its library links: a forbidden include does not compile.
add_library(plumb_flags INTERFACE)
target_compile_options(plumb_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # The stable_sort of g++'s library uses what it declares deprecated.
  target_compile_options(plumb_flags INTERFACE -Wno-deprecated-declarations)
endif()
if(PLUMB_SANITIZE)
  target_compile_options(plumb_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(plumb_flags INTERFACE -fsanitize=address,undefined)
endif()
# For code that waits for people, disks and other processes, and for tests: what -O2 takes in addition to compile is gained nowhere.
add_library(plumb_light_flags INTERFACE)
target_compile_options(plumb_light_flags INTERFACE $<$<CONFIG:Release>:-O1>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # At -O1 g++ 12 warns of the standard library's own strings and vectors.
  target_compile_options(plumb_light_flags INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)
endif()
find_program(MOLD mold)
if(MOLD)
  target_link_options(plumb_flags INTERFACE -fuse-ld=mold)
endif()

function(plumb_module name)
  cmake_parse_arguments(ARG "" "HEADERS" "LIBRARIES;PRIVATE;LLVM" ${ARGN})
  if(NOT ARG_HEADERS)
    set(ARG_HEADERS plumb_usual_headers)
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  string(REPLACE "/" "_" target plumb_${name})
  foreach(module ${PLUMB_LINKS_${name}})
    string(REPLACE "/" "_" library plumb_${module})
    list(APPEND ARG_LIBRARIES ${library})
  endforeach()
  set(root ${CMAKE_BINARY_DIR}/modules/${target})
  get_filename_component(parent ${root}/${name} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${name} SYMBOLIC)

  if(ARG_LLVM)
    list(JOIN ARG_LLVM "|" paths)
    set(llvm_sources ${sources})
    list(FILTER llvm_sources INCLUDE REGEX "/src/${name}/(${paths})")
    list(FILTER sources EXCLUDE REGEX "/src/${name}/(${paths})")
    add_library(${target}_llvm OBJECT ${llvm_sources})
    target_include_directories(${target}_llvm PRIVATE ${root})
    # Not ours to warn about.
    target_include_directories(${target}_llvm SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
    target_link_libraries(${target}_llvm PRIVATE ${ARG_LIBRARIES} plumb_flags ${ARG_PRIVATE})
    plumb_use_headers(${target}_llvm plumb_llvm_headers)
    list(APPEND sources $<TARGET_OBJECTS:${target}_llvm>)
    list(APPEND ARG_PRIVATE LLVM)
  endif()
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${root})
  target_link_libraries(${target} PUBLIC ${ARG_LIBRARIES} PRIVATE plumb_flags ${ARG_PRIVATE})
  plumb_use_headers(${target} ${ARG_HEADERS})
endfunction()
