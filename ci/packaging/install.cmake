# share/perf-compare: the files of a clone that jobs and benchmarks need, at the same places, so PREFIX/share/perf-compare
# can replace a clone in the documentation.
set(shared ${CMAKE_INSTALL_DATAROOTDIR}/perf-compare)
install(PROGRAMS ci/gate ci/install.sh ci/issues ci/nightly DESTINATION ${shared}/ci)
install(FILES ci/base.sh ci/inert.sh ci/issues.jq ci/job.sh DESTINATION ${shared}/ci)
install(DIRECTORY ci/recipes DESTINATION ${shared}/ci USE_SOURCE_PERMISSIONS)
install(FILES workloads/step_emitter.h workloads/step_emitter.py DESTINATION ${shared}/workloads)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(CODE "
  set(link \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${shared}/ci/perf-compare\")
  message(STATUS \"Installing: \${link}\")
  file(CREATE_LINK ../../../bin/perf-compare \"\${link}\" SYMBOLIC)")
