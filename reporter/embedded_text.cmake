# sha256_base64(RESULT FILE): the hash of a file as a Content-Security-Policy has it.
function(sha256_base64 result path)
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  file(SHA256 ${path} hash)
  set(text "")
  # 32 bytes: ten groups of three become four digits each; the last two bytes, with a zero, three.
  foreach(at RANGE 0 60 6)
    string(SUBSTRING "${hash}00" ${at} 6 group)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${group} >> ${shift}) & 63")
      string(SUBSTRING ${digits} ${digit} 1 digit)
      string(APPEND text ${digit})
    endforeach()
  endforeach()
  string(REGEX REPLACE ".$" "=" text ${text})
  set(${result} ${text} PARENT_SCOPE)
endfunction()

# embed_text(OUTPUT NAMESPACE NAME=FILE...): a source that defines `extern const char* const NAME`
# and `NAMEHash`, its sha256_base64, for each file, made anew when the file changes. Files are our
# own style sheets and scripts. All of it happens when CMake configures; the other embedder,
# schema/store/embed_migrations.cmake, is a step of the build: it takes a whole folder, checks its
# numbers and needs no hashes.
function(embed_text output namespace)
  set(text "// Made from the files it names; see reporter/embedded_text.cmake.\nnamespace ${namespace} {\n")
  foreach(pair IN LISTS ARGN)
    string(REGEX MATCH "^([^=]+)=(.+)$" matched "${pair}")
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/${CMAKE_MATCH_2})
    set(name ${CMAKE_MATCH_1})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} content)
    string(APPEND text "extern const char* const ${name};\nconst char* const ${name} =\n")
    # A compiler may refuse literals beyond 64 KiB; pieces in a row are one.
    string(LENGTH "${content}" length)
    set(at 0)
    while(at LESS length)
      string(SUBSTRING "${content}" ${at} 8000 piece)
      string(APPEND text "    R\"EMBEDDED(${piece})EMBEDDED\"\n")
      math(EXPR at "${at} + 8000")
    endwhile()
    string(APPEND text "    \"\";\n")
    sha256_base64(hash ${file})
    string(APPEND text "extern const char* const ${name}Hash;\nconst char* const ${name}Hash = \"${hash}\";\n")
  endforeach()
  string(APPEND text "}  // namespace ${namespace}\n")
  file(CONFIGURE OUTPUT ${output} CONTENT "@text@" @ONLY)
endfunction()
