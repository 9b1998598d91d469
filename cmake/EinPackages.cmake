# Debian packages and a tarball, by CPack: `scripts/package`, or in the build
# directory `cpack -G DEB` and `cpack -G TGZ`.
#
#   einc          the compiler, its manual and what completes its command line
#   einc-tools    ein-opt
#   libeinc1      the library
#   libeinc-dev   what programs are compiled with that call it
#   python3-einc  the module, for Debian's Python
#
# Each is a component `debian-NAME` of EinInstall.cmake. The tarball has what
# `cmake --install` installs.

set(revision 1)
set(version ${PROJECT_VERSION}-${revision})
set(maintainer "The einc contributors <einc@packages.invalid>")

#===------------------------------------------------------------------------===#
# Files that every package has
#===------------------------------------------------------------------------===#

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(debian ${CMAKE_BINARY_DIR}/debian)
configure_file(cmake/debian/changelog.in ${debian}/changelog @ONLY)
find_program(GZIP_PROGRAM gzip)
function(ein_compress FROM TO)
  if(GZIP_PROGRAM)
    execute_process(COMMAND ${GZIP_PROGRAM} -9nc ${FROM}
      OUTPUT_FILE ${TO} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endfunction()
ein_compress(${debian}/changelog ${debian}/changelog.Debian.gz)
ein_compress(${CMAKE_SOURCE_DIR}/CHANGELOG.md ${debian}/changelog.gz)
ein_compress(${CMAKE_SOURCE_DIR}/cmake/debian/ein-opt.1 ${debian}/ein-opt.1.gz)
function(ein_install_documents PACKAGE NAME)
  install(FILES cmake/debian/copyright ${debian}/changelog.Debian.gz
                ${debian}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${NAME}
    COMPONENT debian-${PACKAGE} EXCLUDE_FROM_ALL)
endfunction()
install(FILES ${debian}/ein-opt.1.gz
  DESTINATION ${CMAKE_INSTALL_DATADIR}/man/man1
  COMPONENT debian-tools EXCLUDE_FROM_ALL)
ein_install_documents(einc einc)
ein_install_documents(tools einc-tools)
ein_install_documents(libeinc libeinc1)
ein_install_documents(dev libeinc-dev)
ein_install_documents(python python3-einc)

#===------------------------------------------------------------------------===#
# The module for Debian's Python
#===------------------------------------------------------------------------===#

set(modules lib/python3/dist-packages)
install(DIRECTORY python/einc DESTINATION ${modules}
  COMPONENT debian-python EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.py")
if(TARGET einc_python)
  install(TARGETS einc_python LIBRARY DESTINATION ${modules}/einc
    COMPONENT debian-python EXCLUDE_FROM_ALL)
endif()
# What pip and importlib.metadata read.
file(CONFIGURE OUTPUT ${debian}/METADATA CONTENT
"Metadata-Version: 2.1
Name: einc
Version: @PROJECT_VERSION@
Summary: Einsum programs as native code
Requires-Python: >=3.9
Requires-Dist: numpy>=1.19
" @ONLY)
install(FILES ${debian}/METADATA
  DESTINATION ${modules}/einc-${PROJECT_VERSION}.dist-info
  COMPONENT debian-python EXCLUDE_FROM_ALL)

#===------------------------------------------------------------------------===#
# CPack
#===------------------------------------------------------------------------===#

set(CPACK_PACKAGE_NAME einc)
set(CPACK_PACKAGE_VENDOR "The einc contributors")
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME
    einc-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB TGZ)
# What depends on which of them is made.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/EinCPack.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SOURCE einc)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${revision})
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${maintainer}")
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# xz takes minutes for a quarter less, and lintian does not know zstd.
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)

#   ein_package(COMPONENT NAME SECTION [MULTI_ARCH WORD] [SHLIBDEPS]
#               [DEPENDS TEXT] [RECOMMENDS TEXT] [SUGGESTS TEXT]
#               [CONTROL FILES...] SUMMARY TEXT DESCRIPTION LINES...)
function(ein_package COMPONENT NAME SECTION)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "SHLIBDEPS"
    "MULTI_ARCH;SUMMARY" "CONTROL;DESCRIPTION;DEPENDS;RECOMMENDS;SUGGESTS")
  string(TOUPPER CPACK_DEBIAN_DEBIAN-${COMPONENT} prefix)
  set(${prefix}_PACKAGE_NAME ${NAME} PARENT_SCOPE)
  # CPack knows no field Multi-Arch before 3.31: it goes along with another.
  if(ARG_MULTI_ARCH)
    set(SECTION "${SECTION}\nMulti-Arch: ${ARG_MULTI_ARCH}")
  endif()
  set(${prefix}_PACKAGE_SECTION "${SECTION}" PARENT_SCOPE)
  foreach(field DEPENDS RECOMMENDS SUGGESTS)
    list(JOIN ARG_${field} ", " packages)
    set(${prefix}_PACKAGE_${field} "${packages}" PARENT_SCOPE)
  endforeach()
  set(${prefix}_PACKAGE_SHLIBDEPS ${ARG_SHLIBDEPS} PARENT_SCOPE)
  set(${prefix}_PACKAGE_CONTROL_EXTRA "${ARG_CONTROL}" PARENT_SCOPE)
  list(JOIN ARG_DESCRIPTION "\n" description)
  set(${prefix}_DESCRIPTION "${ARG_SUMMARY}\n${description}" PARENT_SCOPE)
endfunction()

# An executable is linked by the system's C++ compiler, with its C++ library.
# Code of `--parallel` needs LLVM's OpenMP, which brings along an LLVM and a
# Python: whoever wants it asks for it.
set(linker "g++ | c++-compiler")
set(threads "libomp-${LLVM_VERSION_MAJOR}-dev")
ein_package(einc einc devel SHLIBDEPS
  DEPENDS ${linker}
  SUGGESTS ${threads}
  SUMMARY "compiler from einsum programs to native code"
  DESCRIPTION
    "einc compiles einsum strings, Tensor-Comprehensions-style programs and"
    "linalg's named ops to native code: executables, object files with a C or C++"
    "header, or code that runs in memory on files of numpy."
    "."
    "It holds LLVM and MLIR, and needs neither of them installed.")

ein_package(tools einc-tools devel SHLIBDEPS
  SUMMARY "compiler from einsum programs to native code, its passes"
  DESCRIPTION
    "einc compiles einsum strings, Tensor-Comprehensions-style programs and"
    "linalg's named ops to native code."
    "."
    "This package has ein-opt, which applies the passes of einc and of MLIR to"
    "modules that einc printed.")

configure_file(cmake/debian/shlibs.in ${debian}/shlibs @ONLY)
ein_package(libeinc libeinc1 libs SHLIBDEPS
  MULTI_ARCH same
  RECOMMENDS ${linker}
  SUGGESTS ${threads}
  CONTROL ${debian}/shlibs ${CMAKE_SOURCE_DIR}/cmake/debian/triggers
  SUMMARY "compiler from einsum programs to native code, as a library"
  DESCRIPTION
    "libeinc compiles einsum programs inside of another program, and calls what it"
    "compiled. It holds LLVM and MLIR, and hides them."
    "."
    "This package has the shared library. It links executables and shared"
    "libraries by a C++ compiler, if one is installed.")

ein_package(dev libeinc-dev libdevel
  MULTI_ARCH same
  DEPENDS "libeinc1 (= ${version})"
  RECOMMENDS "einc (= ${version})"
  SUMMARY "compiler from einsum programs to native code, development files"
  DESCRIPTION
    "libeinc compiles einsum programs inside of another program, and calls what it"
    "compiled."
    "."
    "This package has the headers for C and C++, and files for CMake and"
    "pkg-config. CMake's function ein_add_library needs the package einc.")

if(TARGET einc_python)
  math(EXPR next "${EIN_PYTHON_MINOR} + 1")
  ein_package(python python3-einc python SHLIBDEPS
    DEPENDS "libeinc1 (= ${version})" python3-numpy
      "python3 (>= 3.${EIN_PYTHON_MINOR}~)" "python3 (<< 3.${next})"
    RECOMMENDS ${linker}
    CONTROL ${CMAKE_SOURCE_DIR}/cmake/debian/postinst
            ${CMAKE_SOURCE_DIR}/cmake/debian/prerm
    SUMMARY "einsum programs as native code, for Python 3"
    DESCRIPTION
      "The module einc has numpy's einsum as compiled code, and makes functions of"
      "einsum programs: of text, of docstrings, or of libraries that einc compiled."
      "."
      "Arrays of numpy, of DLPack and of the buffer protocol are used where they"
      "are.")
endif()

# The tarball has no such component, and a package no other.
set(CPACK_COMPONENTS_ALL debian-einc debian-tools debian-libeinc debian-dev)
if(TARGET einc_python)
  list(APPEND CPACK_COMPONENTS_ALL debian-python)
endif()
include(CPack)
