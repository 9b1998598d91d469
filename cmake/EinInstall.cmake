# What `cmake --install build --prefix DIR` puts into DIR:
#
#   bin/            einc, ein-opt
#   lib/            what einc links into executables, beside bin as it expects,
#                   and libeinc.so
#   lib/cmake/einc/ find_package(einc): einc::einc, einc::libeinc and
#                   ein_add_library
#   lib/pkgconfig/  the same for pkg-config
#   include/einc/   the headers of libeinc.so
#   share/einc/     samples and examples

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# einc looks for its libraries in the `lib` beside its `bin`.
set(CMAKE_INSTALL_LIBDIR lib)
install(TARGETS einc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# `scripts/demo` builds einc alone.
install(TARGETS ein-opt RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
# LLVM's libraries stay where they are.
set_target_properties(einc ein-opt PROPERTIES
  INSTALL_RPATH "${LLVM_LIBRARY_DIRS}")
install(TARGETS ein_main ein_runtime ein_abi
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

install(TARGETS libeinc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)
set_target_properties(libeinc PROPERTIES INSTALL_RPATH "${LLVM_LIBRARY_DIRS}")
install(DIRECTORY library/include/einc
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/einc)
configure_package_config_file(cmake/eincConfig.cmake.in eincConfig.cmake
  INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(eincConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/EincCompile.cmake
              ${CMAKE_BINARY_DIR}/eincConfig.cmake
              ${CMAKE_BINARY_DIR}/eincConfigVersion.cmake
        DESTINATION ${package})
configure_file(cmake/einc.pc.in einc.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/einc.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY samples examples DESTINATION ${CMAKE_INSTALL_DATADIR}/einc)
