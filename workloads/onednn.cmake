# Target onednn: oneDNN built on OpenMP, so that it shares the workloads' thread pool. Optional: without
# it the backend onednn is not offered. Found by its files, because the package's own CMake file asks for
# the development files of OpenCL as well.
option(PERF_WORKLOADS_ONEDNN "Multiply with oneDNN, too, where it is installed (libdnnl-dev)" ON)

add_library(onednn INTERFACE)
set(onednn_found FALSE)
set(onednn_folder "")
if(PERF_WORKLOADS_ONEDNN)
  find_library(ONEDNN_LIBRARY dnnl)
  find_path(ONEDNN_INCLUDE dnnl.hpp)
endif()
if(PERF_WORKLOADS_ONEDNN AND ONEDNN_LIBRARY AND ONEDNN_INCLUDE)
  # Compiled and linked; again where another library or header is named than at the last time.
  set(checked ${ONEDNN_LIBRARY} ${ONEDNN_INCLUDE})
  if(NOT "${checked}" STREQUAL "${PERF_WORKLOADS_ONEDNN_CHECKED}")
    unset(PERF_WORKLOADS_ONEDNN_FITS CACHE)
    set(PERF_WORKLOADS_ONEDNN_CHECKED "${checked}" CACHE INTERNAL "What PERF_WORKLOADS_ONEDNN_FITS is about")
  endif()
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${ONEDNN_INCLUDE})
  set(CMAKE_REQUIRED_LIBRARIES ${ONEDNN_LIBRARY} OpenMP::OpenMP_CXX)
  check_cxx_source_compiles("
    #include <dnnl.hpp>
    #if DNNL_CPU_RUNTIME != DNNL_RUNTIME_OMP || DNNL_VERSION_MAJOR * 100 + DNNL_VERSION_MINOR < 206
    #error another thread pool, or too old
    #endif
    int main() { return dnnl_version()->major == 0; }" PERF_WORKLOADS_ONEDNN_FITS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(PERF_WORKLOADS_ONEDNN_FITS)
    target_include_directories(onednn SYSTEM INTERFACE ${ONEDNN_INCLUDE})
    target_compile_definitions(onednn INTERFACE PERF_WORKLOADS_ONEDNN)
    target_link_libraries(onednn INTERFACE ${ONEDNN_LIBRARY})
    set(onednn_found TRUE)
    # For INSTALL_RPATH: the linker finds a library in the system's own folders by itself.
    get_filename_component(folder ${ONEDNN_LIBRARY} DIRECTORY)
    if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      set(onednn_folder ${folder})
    endif()
  endif()
endif()
if(NOT onednn_found)
  message(STATUS "The workloads are built without the backend onednn (package libdnnl-dev)")
endif()
