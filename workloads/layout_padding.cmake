# Sets `layout_padding` to a source that is linked first and pads the program's code by a number of
# bytes drawn from PERF_COMPARE_LAYOUT_SEED, so that everything behind it lies elsewhere and nothing
# but the link is done again (docs/layout.md). Without a seed: no padding, no code.
#
# 512 paddings of 16 to 8192 bytes; an odd factor makes those of any 512 seeds in a row different.
set(seed "$ENV{PERF_COMPARE_LAYOUT_SEED}")
set(padding 0)
if(seed MATCHES "^[0-9]+$" AND NOT seed STREQUAL "0")
  string(LENGTH "${seed}" digits)
  if(digits GREATER 9)  # the last digits tell enough, and fit into CMake's numbers
    math(EXPR first "${digits} - 9")
    string(SUBSTRING "${seed}" ${first} 9 seed)
  endif()
  string(REGEX REPLACE "^0+(.)" "\\1" seed "${seed}")
  math(EXPR padding "(${seed} * 167 % 512 + 1) * 16")
endif()
set(layout_padding ${CMAKE_CURRENT_BINARY_DIR}/layout_padding.cpp)
configure_file(${CMAKE_CURRENT_LIST_DIR}/layout_padding.cpp.in ${layout_padding} @ONLY)
