# Checks that programs, as ninja built them, are made of what lies in one folder alone, and hold neither a commit nor a
# path of this checkout: commits that touch nothing in the folder leave them the same.
#
#   cmake -D ROOT=. -D BUILD=build -D NINJA=ninja -D FOLDER=workloads -D PROGRAMS=bin/perf-workloads
#         -P tests/workloads/program_inputs.cmake

cmake_minimum_required(VERSION 3.25)

function(ask_ninja answer)
  execute_process(COMMAND ${NINJA} -C ${BUILD} -t ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "[];[]" "_" text "${text}")  # what CMake takes for parts of a list
  string(REPLACE "\n" ";" lines "${text}")
  set(${answer} "${lines}" PARENT_SCOPE)
endfunction()

set(violations "")
ask_ninja(inputs inputs ${PROGRAMS})
set(objects ${inputs})
list(FILTER objects INCLUDE REGEX "\\.(o|gch)$")
ask_ninja(read deps ${objects})
list(FILTER read INCLUDE REGEX "^    ")
list(TRANSFORM read STRIP)
list(APPEND inputs ${read})
list(FILTER inputs EXCLUDE REGEX "^(cmake_object_order_depends_target_.*)?$")  # files of no content
list(REMOVE_DUPLICATES inputs)
list(LENGTH inputs count)
foreach(input IN LISTS inputs)
  cmake_path(ABSOLUTE_PATH input BASE_DIRECTORY ${BUILD} NORMALIZE)
  cmake_path(IS_PREFIX ROOT "${input}" is_ours)
  cmake_path(IS_PREFIX BUILD "${input}" is_made)
  cmake_path(RELATIVE_PATH input BASE_DIRECTORY ${ROOT} OUTPUT_VARIABLE shown)
  if(is_made)
    # Objects, lists of sources that CMake compiles together, and a header of the standard library's that may be shared.
    cmake_path(RELATIVE_PATH input BASE_DIRECTORY ${BUILD} OUTPUT_VARIABLE made)
    if(NOT made MATCHES "^(workloads|bin)/|/perf_headers_[A-Za-z0-9]+\\.dir/cmake_pch")
      string(APPEND violations "  made elsewhere: ${made}\n")
    endif()
  elseif(is_ours AND NOT shown MATCHES "^${FOLDER}/")
    string(APPEND violations "  outside of ${FOLDER}/: ${shown}\n")
  endif()
endforeach()

execute_process(COMMAND git -C ${ROOT} rev-parse --short=10 HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET)
foreach(program IN LISTS PROGRAMS)
  foreach(word IN ITEMS ${ROOT} ${commit})
    string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" pattern "${word}")
    file(STRINGS ${BUILD}/${program} found REGEX "${pattern}" LIMIT_COUNT 1)
    if(found)
      string(APPEND violations "  ${program} holds ${word}: ${found}\n")
    endif()
  endforeach()
endforeach()

if(violations)
  message(FATAL_ERROR "What ${PROGRAMS} are made of:\n${violations}")
endif()
message(STATUS "${PROGRAMS}: ${count} files, ours in ${FOLDER}/, no path, no commit")
