# Target openblas_openmp: OpenBLAS built on OpenMP, so that it shares the workloads' thread pool.
# Debian and Ubuntu keep its flavours side by side, and libopenblas.so.0 is whichever the machine's
# alternatives select: the folder is therefore named at link time and, by RPATH, at run time (programs
# set INSTALL_RPATH to ${openblas_folder}, also for the build tree).
find_library(OPENBLAS_OPENMP_LIBRARY openblas
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp /usr/lib64/openblas-openmp
  NO_DEFAULT_PATH)
find_path(OPENBLAS_OPENMP_INCLUDE cblas.h
  PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp
  NO_DEFAULT_PATH)
if(NOT OPENBLAS_OPENMP_LIBRARY OR NOT OPENBLAS_OPENMP_INCLUDE)
  message(FATAL_ERROR
    "OpenBLAS's OpenMP flavour was not found, and the workloads need it.\n"
    "  Debian, Ubuntu:  apt-get install libopenblas-openmp-dev\n"
    "  elsewhere:       -DOPENBLAS_OPENMP_LIBRARY=/path/libopenblas.so -DOPENBLAS_OPENMP_INCLUDE=/path/include\n"
    "  without them:    -DPERF_COMPARE_WORKLOADS=OFF")
endif()
get_filename_component(openblas_folder ${OPENBLAS_OPENMP_LIBRARY} DIRECTORY)

add_library(openblas_openmp INTERFACE)
target_include_directories(openblas_openmp SYSTEM INTERFACE ${OPENBLAS_OPENMP_INCLUDE})
# RPATH and not RUNPATH: LD_LIBRARY_PATH must not bring another flavour in unseen.
target_link_options(openblas_openmp INTERFACE -Wl,--disable-new-dtags)
target_link_libraries(openblas_openmp INTERFACE ${OPENBLAS_OPENMP_LIBRARY})
