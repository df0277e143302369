# Builds perf-workloads alone, in build/ under the current folder: this repository's own `build`
# command in perf-compare.json, run in a checkout of each revision. With PERF_COMPARE_LAYOUT_SEED
# the program is linked differently (workloads/layout_padding.cmake).
set(options -S . -B build -DCMAKE_BUILD_TYPE=Release -DPERF_COMPARE_TOOL=OFF -DPERF_COMPARE_TESTS=OFF
  -DPERF_WORKLOADS_FOR_THIS_CPU=ON)
find_program(NINJA ninja)
if(NINJA)
  list(APPEND options -G Ninja)
endif()

# Where ccache is used, what one checkout compiled serves all the others: paths below this folder
# count as relative.
set(ENV{CCACHE_BASEDIR} ${CMAKE_CURRENT_SOURCE_DIR})
set(ENV{CCACHE_NOHASHDIR} 1)

execute_process(COMMAND ${CMAKE_COMMAND} ${options} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build build --target perf-workloads COMMAND_ERROR_IS_FATAL ANY)
