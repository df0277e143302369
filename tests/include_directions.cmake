# Checks that includes follow the architecture:
#
#   cmake -D ROOT=. -P tests/include_directions.cmake
#
# collector, analyzer and reporter include schema and never each other; every foreign library is included in one
# place. Inside workloads the families (training, inference, quantization) are independent of each other and include
# kernels, model, reference, program and decoder.

cmake_minimum_required(VERSION 3.25)

set(may_include_schema schema)
set(may_include_collector collector schema)
set(may_include_analyzer analyzer schema)
set(may_include_reporter reporter schema)
set(may_include_workloads workloads)
set(may_include_ci ci schema collector analyzer reporter)

set(may_include_workloads_kernels kernels)
set(may_include_workloads_model kernels model)
set(may_include_workloads_reference kernels model reference)
set(may_include_workloads_program kernels model program)
set(may_include_workloads_decoder kernels model reference program decoder)
foreach(family IN ITEMS training inference quantization)
  set(may_include_workloads_${family} kernels model reference program decoder ${family})
endforeach()
set(may_include_workloads_micro kernels model reference program training micro)  # parts of a training step

set(layers schema collector analyzer reporter workloads ci)
# Libraries and the only file stems that may include them, below any of the layers.
set(rim_git2 collector/git/libgit2)
set(rim_SQLiteCpp schema/store/)
set(rim_sqlite3 schema/store/)
set(rim_CLI ci/cli/options/command_line)
set(rim_utf8 schema/text/utf8)
set(rim_libpq-fe collector/postgres/libpq.cpp)
# The only threads of the analyzer; results do not depend on them.
set(rim_thread analyzer/trend/parallel_loop.cpp)
set(violations "")

foreach(layer IN LISTS layers)
  file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/${layer}/*.h ${ROOT}/${layer}/*.cpp)
  foreach(source IN LISTS sources)
    file(STRINGS ${ROOT}/${source} includes REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS includes)
      if(line MATCHES "\"([a-z_]+)/")
        set(target ${CMAKE_MATCH_1})
        if(target IN_LIST layers AND NOT target IN_LIST may_include_${layer})
          string(APPEND violations "  ${source} includes ${target}: ${line}\n")
        endif()
      endif()
      if(source MATCHES "^workloads/([a-z]+)/")
        set(folder ${CMAKE_MATCH_1})
        if(DEFINED may_include_workloads_${folder} AND line MATCHES "\"workloads/([a-z]+)/")
          if(NOT CMAKE_MATCH_1 IN_LIST may_include_workloads_${folder})
            string(APPEND violations "  ${source} includes ${CMAKE_MATCH_1}: ${line}\n")
          endif()
        endif()
        if(NOT folder STREQUAL "kernels" AND line MATCHES "workloads/kernels/(lanes|row_lanes|tile_[a-z]+|attention_tiles|quantize_(run|lines|registers[a-z0-9_]*)|quantization_scale|quantization_levels|quantized_lanes|few_rows_(kernels|codes[a-z0-9_]*))\\.h")
          string(APPEND violations "  ${source} includes an internal header of kernels: ${line}\n")
        endif()
      endif()
      if(line MATCHES "[<\"](git2|SQLiteCpp|sqlite3|CLI|utf8|libpq-fe)[./]")
        set(library ${CMAKE_MATCH_1})
        if(NOT source MATCHES "^${rim_${library}}")
          string(APPEND violations "  ${source} includes ${library}, which only ${rim_${library}} may\n")
        endif()
      endif()
      # The analyzer stays pure: no database, no disk, no clock, no processes.
      if(layer STREQUAL "analyzer" AND line MATCHES "schema/store|<(chrono|filesystem|fstream|iostream|unistd\\.h)>")
        string(APPEND violations "  ${source} is not pure: ${line}\n")
      endif()
      if(layer STREQUAL "analyzer" AND line MATCHES "<thread>" AND NOT source STREQUAL rim_thread)
        string(APPEND violations "  ${source} has threads, which only ${rim_thread} may: ${line}\n")
      endif()
      if(source MATCHES "^schema/(text/)?[a-z_]+\\.h$" AND line MATCHES "<(nlohmann|fmt|boost|sqlite|SQLite)")
        string(APPEND violations "  ${source} is a record and may include std only: ${line}\n")
      endif()
    endforeach()
  endforeach()
endforeach()

if(violations)
  message(FATAL_ERROR "includes against the architecture:\n${violations}")
endif()
