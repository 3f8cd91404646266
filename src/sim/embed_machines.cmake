# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes OUTPUT, which defines embedded_machines() of machines.h: cmake -D FOLDER=… -D NAMES=a,b -D OUTPUT=… -P embed_machines.cmake
string(REPLACE "," ";" names "${NAMES}")
set(text "#include \"sim/machines.h\"
namespace TEFF_NAMESPACE::sim {
namespace {
constexpr embedded_machine all[] = {
")
foreach(name IN LISTS names)
  file(READ ${FOLDER}/${name}.toml content)
  string(APPEND text "{\"${name}\", R\"machine(${content})machine\"},\n")
endforeach()
string(APPEND text "};
}  // namespace
std::span<const embedded_machine> embedded_machines() { return all; }
}  // namespace TEFF_NAMESPACE::sim
")
file(WRITE ${OUTPUT} "${text}")
