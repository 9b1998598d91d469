# What `cmake --install build --prefix DIR` puts into DIR:
#
#   bin/            einc, ein-opt
#   lib/            what einc links into executables, beside bin as it expects
#   lib/cmake/einc/ find_package(einc) and ein_add_library
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

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/einc)
configure_package_config_file(cmake/eincConfig.cmake.in eincConfig.cmake
  INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(eincConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/EincCompile.cmake
              ${CMAKE_BINARY_DIR}/eincConfig.cmake
              ${CMAKE_BINARY_DIR}/eincConfigVersion.cmake
        DESTINATION ${package})
install(DIRECTORY samples examples DESTINATION ${CMAKE_INSTALL_DATADIR}/einc)
