# Read by CPack for each kind of package (EinPackages.cmake).
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_GROUPING IGNORE)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  # Each package has one of its own.
  unset(CPACK_PACKAGE_DESCRIPTION_SUMMARY)
else()
  set(CPACK_MONOLITHIC_INSTALL ON)
  unset(CPACK_COMPONENTS_ALL)
endif()
