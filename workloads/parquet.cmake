# Target parquet_format: records of Parquet files (model/parquet.thrift) in C++, made by Apache Thrift's compiler. Its
# library is linked as an archive: the shared one would load OpenSSL into every run.
include_guard(GLOBAL)
find_program(THRIFT_COMPILER thrift)
find_path(THRIFT_INCLUDE thrift/protocol/TCompactProtocol.h)
find_path(BOOST_INCLUDE boost/scoped_array.hpp)  # in Thrift's headers
find_library(THRIFT_LIBRARY libthrift.a)
if(NOT THRIFT_COMPILER OR NOT THRIFT_INCLUDE OR NOT BOOST_INCLUDE OR NOT THRIFT_LIBRARY)
  message(FATAL_ERROR
    "Apache Thrift was not found, and the workloads need it to read and write Parquet files.\n"
    "  Debian, Ubuntu:  apt-get install thrift-compiler libthrift-dev libboost-dev\n"
    "  without them:    -DPERF_COMPARE_WORKLOADS=OFF")
endif()
set(parquet_folder ${CMAKE_CURRENT_BINARY_DIR}/parquet)
file(MAKE_DIRECTORY ${parquet_folder})
add_custom_command(
  OUTPUT ${parquet_folder}/parquet_types.cpp ${parquet_folder}/parquet_types.h
  COMMAND ${THRIFT_COMPILER} --gen cpp:no_skeleton,no_default_operators,no_ostream_operators,moveable_types
          -out ${parquet_folder} ${CMAKE_CURRENT_LIST_DIR}/model/parquet.thrift
  DEPENDS ${CMAKE_CURRENT_LIST_DIR}/model/parquet.thrift)
add_library(parquet_format STATIC ${parquet_folder}/parquet_types.cpp ${parquet_folder}/parquet_types.h)
set_target_properties(parquet_format PROPERTIES CXX_CLANG_TIDY "")
target_include_directories(parquet_format SYSTEM PUBLIC ${parquet_folder} ${THRIFT_INCLUDE} ${BOOST_INCLUDE})
target_link_libraries(parquet_format PUBLIC ${THRIFT_LIBRARY})
