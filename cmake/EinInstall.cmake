# What `cmake --install build --prefix DIR` puts into DIR, and the tarball holds:
#
#   bin/            einc, ein-opt
#   lib/einc/       what einc and libeinc.so link into executables
#   lib/            libeinc.so
#   lib/cmake/einc/ find_package(einc): einc::einc, einc::libeinc and
#                   ein_add_library
#   lib/pkgconfig/  the same for pkg-config
#   include/einc/   the headers of libeinc.so
#   share/einc/     samples and examples
#   share/man/      pages of the manual; and what completes command lines, where
#                   bash, zsh and fish look
#
# Each rule is made twice: for a tree of its own, and for a package of Debian's
# (EinPackages.cmake), where what belongs to the machine lies in `lib/TRIPLET`
# and where a package gets a part. Those are left out of `cmake --install`.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Trees are moved, and then find what is theirs: `lib` is beside `bin`.
set(CMAKE_INSTALL_LIBDIR lib)
set(EIN_DEBIAN_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE})

#   ein_install(PACKAGE [DEBIAN DIRECTORY] RULE...)
#
# `install(RULE...)`, whose last word is DESTINATION's, and the same for a
# package, in DIRECTORY if that is another one there.
function(ein_install PACKAGE)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "OPTIONAL" "DEBIAN;DESTINATION" "")
  set(optional "")
  if(ARG_OPTIONAL)
    set(optional OPTIONAL)
  endif()
  if(NOT ARG_DEBIAN)
    set(ARG_DEBIAN ${ARG_DESTINATION})
  endif()
  install(${ARG_UNPARSED_ARGUMENTS} DESTINATION ${ARG_DESTINATION} ${optional})
  install(${ARG_UNPARSED_ARGUMENTS} DESTINATION ${ARG_DEBIAN}
    COMPONENT debian-${PACKAGE} EXCLUDE_FROM_ALL ${optional})
endfunction()

#===------------------------------------------------------------------------===#
# The tools
#===------------------------------------------------------------------------===#

ein_install(einc TARGETS einc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# `scripts/demo` builds einc alone.
ein_install(tools TARGETS ein-opt RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  OPTIONAL)
foreach(tool einc ein-opt libeinc)
  if(NOT ein_static_llvm) # which stays where it is
    set_target_properties(${tool} PROPERTIES
      INSTALL_RPATH "${LLVM_LIBRARY_DIRS}")
  endif()
endforeach()
set(ein_for_ranks "")
foreach(mpi ${EINC_MPI_FOUND})
  list(APPEND ein_for_ranks ein_mpi_${mpi} ein_mpi_main_${mpi})
endforeach()
ein_install(einc TARGETS ein_main ein_runtime ein_abi ${ein_for_ranks} ARCHIVE
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/einc)
ein_install(einc DIRECTORY samples examples
  DESTINATION ${CMAKE_INSTALL_DATADIR}/einc)

# What einc says of its own command line.
set(pages ${CMAKE_BINARY_DIR}/share)
string(TIMESTAMP today %Y-%m-%d)
add_custom_command(
  OUTPUT ${pages}/stamp
  COMMAND ${CMAKE_COMMAND} -DEINC=$<TARGET_FILE:einc> -DDIRECTORY=${pages}
    -DDATE=${today} -P ${CMAKE_SOURCE_DIR}/cmake/WritePages.cmake
  DEPENDS einc cmake/WritePages.cmake
  COMMENT "Writing pages of the manual and completions"
  VERBATIM)
add_custom_target(pages ALL DEPENDS ${pages}/stamp)
install(DIRECTORY ${pages}/man DESTINATION ${CMAKE_INSTALL_DATADIR} OPTIONAL)
install(DIRECTORY ${pages}/debian/man DESTINATION ${CMAKE_INSTALL_DATADIR}
  COMPONENT debian-einc EXCLUDE_FROM_ALL OPTIONAL)
set(completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
ein_install(einc FILES ${pages}/bash/einc DESTINATION ${completions} OPTIONAL)
ein_install(einc FILES ${pages}/zsh/_einc
  DEBIAN ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
ein_install(einc FILES ${pages}/fish/einc.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)

#===------------------------------------------------------------------------===#
# The library
#===------------------------------------------------------------------------===#

# Its name of this version and the one that is linked with are two packages.
install(TARGETS libeinc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)
install(TARGETS libeinc LIBRARY DESTINATION ${EIN_DEBIAN_LIBDIR}
  COMPONENT debian-libeinc EXCLUDE_FROM_ALL NAMELINK_SKIP)
install(TARGETS libeinc LIBRARY DESTINATION ${EIN_DEBIAN_LIBDIR}
  COMPONENT debian-dev EXCLUDE_FROM_ALL NAMELINK_ONLY)
install(TARGETS ein_main ein_runtime ein_abi
  ARCHIVE DESTINATION ${EIN_DEBIAN_LIBDIR}/einc
  COMPONENT debian-libeinc EXCLUDE_FROM_ALL)
ein_install(dev DIRECTORY library/include/einc
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

ein_install(dev FILES cmake/EincCompile.cmake
  DEBIAN ${EIN_DEBIAN_LIBDIR}/cmake/einc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/einc)
write_basic_package_version_file(eincConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
ein_install(dev FILES ${CMAKE_BINARY_DIR}/eincConfigVersion.cmake
  DEBIAN ${EIN_DEBIAN_LIBDIR}/cmake/einc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/einc)

# What says where the library is: relative to itself.
function(ein_install_configuration DIRECTORY LIBDIR)
  set(CMAKE_INSTALL_LIBDIR ${LIBDIR})
  configure_package_config_file(cmake/eincConfig.cmake.in
    ${DIRECTORY}/eincConfig.cmake
    INSTALL_DESTINATION ${LIBDIR}/cmake/einc
    INSTALL_PREFIX /usr
    PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR
              CMAKE_INSTALL_INCLUDEDIR)
  string(REGEX REPLACE "[^/]+" ".." up ${LIBDIR}/pkgconfig)
  configure_file(cmake/einc.pc.in ${DIRECTORY}/einc.pc @ONLY)
  install(FILES ${DIRECTORY}/eincConfig.cmake
    DESTINATION ${LIBDIR}/cmake/einc ${ARGN})
  install(FILES ${DIRECTORY}/einc.pc DESTINATION ${LIBDIR}/pkgconfig ${ARGN})
endfunction()
ein_install_configuration(${CMAKE_BINARY_DIR} ${CMAKE_INSTALL_LIBDIR})
ein_install_configuration(${CMAKE_BINARY_DIR}/debian ${EIN_DEBIAN_LIBDIR}
  COMPONENT debian-dev EXCLUDE_FROM_ALL)
