# cmake -DEINC=FILE -DDIRECTORY=DIR -DDATE=DATE -P WritePages.cmake
#
# Writes pages of the manual into DIR/man/man1, one for einc and one per command,
# and compressed ones, as Debian has them, into DIR/debian; and what completes its
# command line into DIR/bash, DIR/zsh and DIR/fish.
function(write FILE)
  cmake_path(GET FILE PARENT_PATH folder)
  file(MAKE_DIRECTORY ${DIRECTORY}/${folder})
  execute_process(COMMAND ${EINC} ${ARGN} OUTPUT_FILE ${DIRECTORY}/${FILE}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The commands are those that the first page names.
file(REMOVE_RECURSE ${DIRECTORY}/man ${DIRECTORY}/debian)
write(man/man1/einc.1 man --date ${DATE})
file(STRINGS ${DIRECTORY}/man/man1/einc.1 lines REGEX "^.fBeinc [a-z]+.fR$")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^.fBeinc ([a-z]+).*" "\\1" command "${line}")
  write(man/man1/einc-${command}.1 man ${command} --date ${DATE})
endforeach()
find_program(GZIP_PROGRAM gzip)
if(GZIP_PROGRAM)
  file(COPY ${DIRECTORY}/man DESTINATION ${DIRECTORY}/debian)
  file(GLOB files ${DIRECTORY}/debian/man/man1/*.1)
  execute_process(COMMAND ${GZIP_PROGRAM} -9n ${files}
    COMMAND_ERROR_IS_FATAL ANY)
endif()
write(bash/einc completion bash)
write(zsh/_einc completion zsh)
write(fish/einc.fish completion fish)
file(TOUCH ${DIRECTORY}/stamp)
