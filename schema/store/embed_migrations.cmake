# Writes the migrations of the store, or of a hub's tables, into a source file:
#
#   cmake -D FROM=schema/sql -D FIRST=7 -D OF=store -D TO=store_migrations.cpp -P embed_migrations.cmake
#
# A step of the build; reporter/embedded_text.cmake embeds a few named files, with their hashes,
# when CMake configures.
#
# They are numbered without gaps, from the first version that anybody may have (a store of an earlier
# one is refused): the number becomes PRAGMA user_version, or the version of the hub.

cmake_minimum_required(VERSION 3.25)

if(OF STREQUAL "store")
  set(header schema/store/internal.h)
else()
  set(header collector/hub/database/tables.h)
endif()
file(GLOB files LIST_DIRECTORIES false ${FROM}/*.sql)
list(SORT files)
set(entries "")
math(EXPR number "${FIRST} - 1")
foreach(file IN LISTS files)
  math(EXPR number "${number} + 1")
  get_filename_component(name ${file} NAME_WE)
  string(LENGTH "${number}" digits)
  math(EXPR zeros "4 - ${digits}")
  string(REPEAT "0" ${zeros} prefix)
  if(NOT name MATCHES "^${prefix}${number}_[a-z0-9_]+$")
    message(FATAL_ERROR "${file}: the next migration is ${prefix}${number}_NAME.sql")
  endif()
  file(READ ${file} sql)
  string(APPEND entries "    {${number}, \"${name}\", R\"sql(${sql})sql\"},\n")
endforeach()

file(WRITE ${TO}
"// Made from ${FROM} by schema/store/embed_migrations.cmake.
#include \"${header}\"

namespace perf::${OF} {

const std::vector<Migration>& migrations() {
  static const std::vector<Migration> all{
${entries}  };
  return all;
}

}  // namespace perf::${OF}
")
