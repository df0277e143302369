# Run by cpack after installing: adds the files that ci/packaging/deb.sh made for Debian's policy.
file(COPY ${CPACK_PERF_DEBIAN_FILES}/ DESTINATION ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
file(REMOVE ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/perf-compare/usr/share/doc/perf-compare/LICENSE)  # `copyright` refers to it
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.1 ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/changelog)
execute_process(COMMAND gzip -9nf ${pages} COMMAND_ERROR_IS_FATAL ANY)
