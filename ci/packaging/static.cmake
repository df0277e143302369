# PERF_COMPARE_STATIC, the preset `static`: a perf-compare that needs only the kernel. pkg-config must find a libgit2
# without transports, as Debian's needs libraries without an archive: ci/package builds one.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(PKG_CONFIG_ARGN --static)
# Reproducible builds.
target_compile_options(perf_options INTERFACE -ffunction-sections -fdata-sections
  -ffile-prefix-map=${PROJECT_BINARY_DIR}/= -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
  $<$<BOOL:${CMAKE_SYSROOT}>:-ffile-prefix-map=${CMAKE_SYSROOT}/=/>)
target_compile_definitions(perf_options INTERFACE PERF_COMPARE_STATIC)

# perf_link_statically(TARGET): the linker warns of functions that would load libraries at run time.
function(perf_link_statically target)
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/ci/packaging/left_out.c)
  target_link_options(${target} PRIVATE -static -s -Wl,--gc-sections -Wl,--fatal-warnings
    -Wl,--wrap=dlopen,--wrap=dlsym,--wrap=dlclose,--wrap=dlerror)
endfunction()
