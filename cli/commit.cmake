# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes OUTPUT, which defines what build_information.h declares, if it has changed. Run at every build:
# cmake -D SOURCE=… -D VERSION=… -D OUTPUT=… -P commit.cmake
set(commit "unknown")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE hash RESULT_VARIABLE status ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(status EQUAL 0)
    set(commit ${hash})
    execute_process(COMMAND ${GIT} -C ${SOURCE} --no-optional-locks status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes RESULT_VARIABLE status ERROR_QUIET)
    if(changes OR NOT status EQUAL 0)
      string(APPEND commit "-modified")
    endif()
  endif()
endif()
set(text "#include \"cli/build_information.h\"
const char* const teff::cli::version_text = \"${VERSION}\";
const char* const teff::cli::commit_text = \"${commit}\";
")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${OUTPUT} "${text}")
endif()
