# Target onednn: oneDNN built on OpenMP, so that it shares the workloads' thread pool. Optional: without
# it the backend onednn is not offered. Found by its files, because the package's own CMake file asks for
# the development files of OpenCL as well.
option(PERF_WORKLOADS_ONEDNN "Multiply with oneDNN, too, where it is installed (libdnnl-dev)" ON)

add_library(onednn INTERFACE)
set(onednn_found FALSE)
if(PERF_WORKLOADS_ONEDNN)
  find_library(ONEDNN_LIBRARY dnnl)
  find_path(ONEDNN_INCLUDE dnnl.hpp)
endif()
if(PERF_WORKLOADS_ONEDNN AND ONEDNN_LIBRARY AND ONEDNN_INCLUDE)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${ONEDNN_INCLUDE})
  check_cxx_source_compiles("
    #include <dnnl.hpp>
    #if DNNL_CPU_RUNTIME != DNNL_RUNTIME_OMP || DNNL_VERSION_MAJOR * 100 + DNNL_VERSION_MINOR < 206
    #error another thread pool, or too old
    #endif
    int main() {}" PERF_WORKLOADS_ONEDNN_FITS)
  unset(CMAKE_REQUIRED_INCLUDES)
  if(PERF_WORKLOADS_ONEDNN_FITS)
    target_include_directories(onednn SYSTEM INTERFACE ${ONEDNN_INCLUDE})
    target_compile_definitions(onednn INTERFACE PERF_WORKLOADS_ONEDNN)
    target_link_libraries(onednn INTERFACE ${ONEDNN_LIBRARY})
    set(onednn_found TRUE)
  endif()
endif()
if(NOT onednn_found)
  message(STATUS "The workloads are built without the backend onednn (package libdnnl-dev)")
endif()
