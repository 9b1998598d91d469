# What a CMake project gets from `find_package(einc)`.
#
#   ein_add_library(NAME [STATIC | SHARED | OBJECT]
#                   SOURCES FILE.ein...
#                   [BIND K=V...]         sizes to compile for; every source
#                                         has to have them
#                   [PREFIX TEXT]         before the name of every function
#                   [NAMESPACE a::b]      of the C++ headers' functions
#                   [CPU NAME | CPUS NAME...]   CPUS: the code chooses when it
#                                         runs, by what the machine has
#                   [FEATURES +x,-y] [TARGET TRIPLE]
#                   [TUNED FILE.tuned]    what `einc tune` has written
#                   [OPTIMIZE 0..3]       default: 3
#                   [OPTIONS FLAG...])    anything else `einc build` takes
#
# Makes the library target NAME of the objects that einc compiles the sources
# to. Whoever links to it can include `FILE.h` (C) and `FILE.hpp` (C++) of each
# FILE.ein. Sources are compiled again when they, or what they import, have
# changed, and when einc has. The code is for the machine that compiles, unless
# CPU, CPUS or TARGET says otherwise; of a cross-compiling project it is for what the
# toolchain file says. The headers are the target's file set HEADERS:
#
#   install(TARGETS NAME EXPORT mine FILE_SET HEADERS)
#
# installs them with the library, and `install(EXPORT mine)` works.

include_guard(GLOBAL)

# The triple that the toolchain compiles for: what clang is told, else what gcc
# is called or the system and processor imply; empty if that is not known.
function(_ein_find_target RESULT)
  set(triple "")
  foreach(language C CXX)
    if(CMAKE_${language}_COMPILER_TARGET)
      set(triple ${CMAKE_${language}_COMPILER_TARGET})
      break()
    endif()
  endforeach()
  if(NOT triple AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
      set(triple aarch64-linux-gnu)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
      set(triple x86_64-linux-gnu)
    elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "riscv64")
      set(triple riscv64-linux-gnu)
    endif()
  endif()
  set(${RESULT} "${triple}" PARENT_SCOPE)
endfunction()

function(ein_add_library NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "STATIC;SHARED;OBJECT"
    "PREFIX;NAMESPACE;CPU;FEATURES;TARGET;TUNED;OPTIMIZE"
    "SOURCES;BIND;CPUS;OPTIONS")
  if(NOT TARGET einc::einc)
    message(FATAL_ERROR "ein_add_library(${NAME}): the library is here without "
      "the compiler, which Debian's package einc has")
  endif()
  foreach(keyword IN LISTS ARG_KEYWORDS_MISSING_VALUES)
    # An empty list that a variable holds is none.
    if(NOT keyword MATCHES "^(SOURCES|BIND|CPUS|OPTIONS)$")
      message(FATAL_ERROR "ein_add_library(${NAME}): ${keyword} has no value")
    endif()
  endforeach()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "ein_add_library(${NAME}): what is `${ARG_UNPARSED_ARGUMENTS}`?")
  endif()
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "ein_add_library(${NAME}): there are no SOURCES")
  endif()
  foreach(binding IN LISTS ARG_BIND)
    if(NOT binding MATCHES "^[A-Za-z_][A-Za-z0-9_.]*=[^,]+(,[^,=]+=[^,]+)*$")
      message(FATAL_ERROR
        "ein_add_library(${NAME}): BIND takes K=V, not `${binding}`")
    endif()
  endforeach()
  if(ARG_CPU AND ARG_CPUS)
    message(FATAL_ERROR
      "ein_add_library(${NAME}): CPU and CPUS exclude each other")
  endif()
  foreach(cpu IN LISTS ARG_CPUS)
    if(cpu MATCHES ",")
      message(FATAL_ERROR
        "ein_add_library(${NAME}): CPUS takes names, not `${cpu}`")
    endif()
  endforeach()
  if(DEFINED ARG_OPTIMIZE AND NOT ARG_OPTIMIZE MATCHES "^[0-3]$")
    message(FATAL_ERROR
      "ein_add_library(${NAME}): OPTIMIZE takes 0 to 3, not `${ARG_OPTIMIZE}`")
  endif()
  # A compiler may also have been told its target without a toolchain file.
  if(NOT ARG_TARGET)
    _ein_find_target(target)
    if(CMAKE_CROSSCOMPILING OR
       (CMAKE_HOST_SYSTEM_PROCESSOR AND
        NOT target MATCHES "^(${CMAKE_HOST_SYSTEM_PROCESSOR}|)(-|$)"))
      set(ARG_TARGET ${target})
    endif()
    if(CMAKE_CROSSCOMPILING AND NOT ARG_TARGET)
      message(FATAL_ERROR
        "ein_add_library(${NAME}): cross-compiling for "
        "`${CMAKE_SYSTEM_NAME}` on `${CMAKE_SYSTEM_PROCESSOR}` needs a TARGET")
    endif()
  endif()

  set(flags ${ARG_OPTIONS})
  if(ARG_BIND)
    list(JOIN ARG_BIND "," bindings)
    list(APPEND flags --bind ${bindings})
  endif()
  list(JOIN ARG_CPUS "," cpus)
  if(cpus)
    list(APPEND flags --cpu ${cpus})
  endif()
  foreach(flag PREFIX NAMESPACE CPU FEATURES TARGET)
    if(ARG_${flag})
      string(TOLOWER ${flag} name)
      list(APPEND flags --${name} ${ARG_${flag}})
    endif()
  endforeach()
  if(ARG_TUNED)
    cmake_path(ABSOLUTE_PATH ARG_TUNED NORMALIZE)
    if(NOT EXISTS ${ARG_TUNED})
      message(FATAL_ERROR
        "ein_add_library(${NAME}): there is no file `${ARG_TUNED}`")
    endif()
    list(APPEND flags --tuned ${ARG_TUNED})
    # One file may have the entries of all sources.
    list(LENGTH ARG_SOURCES count)
    if(count GREATER 1)
      list(APPEND flags -W no-tuned-unused)
    endif()
  endif()
  if(DEFINED ARG_OPTIMIZE)
    list(APPEND flags -O${ARG_OPTIMIZE})
  endif()

  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.einc)
  file(MAKE_DIRECTORY ${directory})
  set(objects "")
  set(headers "")
  foreach(source IN LISTS ARG_SOURCES)
    if(NOT source MATCHES "\\.(ein|yaml|yml|mlir)$")
      message(FATAL_ERROR
        "ein_add_library(${NAME}): `${source}` is neither a keyword nor a "
        "program (.ein, .yaml, .mlir)")
    endif()
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    get_source_file_property(is_made ${source} GENERATED)
    if(NOT is_made AND NOT EXISTS ${source})
      message(FATAL_ERROR
        "ein_add_library(${NAME}): there is no file `${source}`")
    endif()
    cmake_path(GET source STEM LAST_ONLY stem)
    set(base ${directory}/${stem})
    if(${base}.o IN_LIST objects)
      message(FATAL_ERROR
        "ein_add_library(${NAME}): two sources are called ${stem}")
    endif()
    foreach(suffix o h hpp)
      add_custom_command(
        OUTPUT ${base}.${suffix}
        COMMAND einc::einc build ${source} -o ${base}.${suffix}
                --depfile ${base}.${suffix}.d ${flags}
        DEPENDS ${source} einc::einc
        DEPFILE ${base}.${suffix}.d
        COMMENT "Compiling ${stem}.${suffix} with einc"
        VERBATIM)
    endforeach()
    set_source_files_properties(${base}.o PROPERTIES EXTERNAL_OBJECT ON)
    list(APPEND objects ${base}.o)
    list(APPEND headers ${base}.h ${base}.hpp)
  endforeach()

  set(kind STATIC)
  if(ARG_SHARED)
    set(kind SHARED)
  elseif(ARG_OBJECT)
    set(kind OBJECT)
  endif()
  add_library(${NAME} ${kind} ${objects} ${headers})
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(linker C)
  if(NOT C IN_LIST languages)
    set(linker CXX)
  endif()
  set_target_properties(${NAME} PROPERTIES LINKER_LANGUAGE ${linker})
  # Of objects that it has not compiled, CMake hands none on.
  if(ARG_OBJECT)
    target_link_libraries(${NAME} INTERFACE ${objects})
  endif()
  # So that `install(TARGETS ${NAME} EXPORT ... FILE_SET HEADERS)` installs the
  # headers, and whoever imports the target finds them.
  target_sources(${NAME} INTERFACE FILE_SET HEADERS
    BASE_DIRS ${directory} FILES ${headers})
  if(UNIX)
    target_link_libraries(${NAME} PUBLIC m)
  endif()
  # By name, as what is built or installed is linked elsewhere too.
  if("--parallel" IN_LIST flags)
    target_link_libraries(${NAME} PUBLIC omp)
  endif()
endfunction()
