# Read by cpack; ci/packaging/deb.sh sets the rest. The packages perf-compare and perf-workloads are the components of
# `cmake --install` of these names.
set(CPACK_GENERATOR DEB)
set(CPACK_CMAKE_GENERATOR Ninja)
set(CPACK_PACKAGE_NAME perf-compare)
set(CPACK_PACKAGE_FILE_NAME perf-compare)
set(CPACK_PACKAGE_DESCRIPTION perf-compare)  # required by cpack; each package has its own
set(CPACK_PACKAGE_VENDOR perf-compare)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_SET_DESTDIR OFF)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL perf-compare perf-workloads)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/deb_files.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

if(DEFINED ENV{PERF_COMPARE_SYSROOT})  # for Arm: the archive's programs; only what reads GPUs and is preloaded needs libc6
  set(CPACK_COMPONENTS_ALL perf-compare)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_PERF-COMPARE_PACKAGE_DEPENDS "libc6 (>= 2.34), ")
endif()

set(CPACK_DEBIAN_PERF-COMPARE_PACKAGE_NAME perf-compare)
set(CPACK_DEBIAN_PERF-COMPARE_PACKAGE_DEPENDS "${CPACK_DEBIAN_PERF-COMPARE_PACKAGE_DEPENDS}git")
set(CPACK_DEBIAN_PERF-COMPARE_PACKAGE_RECOMMENDS strace)
set(CPACK_DEBIAN_PERF-COMPARE_PACKAGE_SUGGESTS "perf-workloads, linux-perf, valgrind")
set(CPACK_COMPONENT_PERF-COMPARE_DESCRIPTION "test whether a commit made a program slower or use more memory
Builds two revisions of a repository, measures pairs of fresh processes, and
reports each benchmark as regressed, improved, unchanged or inconclusive, with
one error rate for the whole report. For CI jobs on ordinary noisy machines.")

set(CPACK_DEBIAN_PERF-WORKLOADS_PACKAGE_NAME perf-workloads)
set(CPACK_DEBIAN_PERF-WORKLOADS_PACKAGE_SUGGESTS perf-compare)
set(CPACK_DEBIAN_PERF-WORKLOADS_PACKAGE_DEPENDS libopenblas0-openmp)  # the flavour of libopenblas0 it is linked with
set(CPACK_COMPONENT_PERF-WORKLOADS_DESCRIPTION "machine-learning workloads for measuring machines and libraries
Training, inference, quantization and single operations of decoders, on
Eigen, OpenBLAS and oneDNN, each checked against plain loops. For CPUs with
AVX2 (since 2013); AVX-512 kernels are included.")
