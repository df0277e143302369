# CMake toolchain of `ci/package --arch arm64`, on Debian: g++-aarch64-linux-gnu, and Arm's packages unpacked in the
# folder PERF_COMPARE_SYSROOT (arm64.sh). What is built runs under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_SYSROOT $ENV{PERF_COMPARE_SYSROOT})
cmake_path(SET CMAKE_FIND_ROOT_PATH NORMALIZE ${CMAKE_SYSROOT}/../libgit2/prefix)  # built by tarball.sh
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${CMAKE_SYSROOT})
