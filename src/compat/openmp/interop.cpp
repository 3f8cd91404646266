// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Questions of what a program may share with a device's own runtime, and of devices' names: the host has no such runtime, so
/// each interop object of a program is omp_interop_none.
#include "compat/openmp/entry.h"
#include "compat/openmp/target.h"

#include <array>
#include <cstring>
#include <string_view>

namespace TEFF_NAMESPACE::openmp {

namespace {

using interop_object = std::uintptr_t;
constexpr interop_object no_object = 0;

/// What the questions answer; the numbers of omp.h.
enum return_code : int {
  no_value = 1,
  success = 0,
  empty = -1,
  out_of_range = -2,
  type_int = -3,
  type_ptr = -4,
  type_str = -5,
  other = -6
};

/// By the numbers -1, -2, …
constexpr std::array property_names = {"fr_id",    "fr_name", "vendor",         "vendor_name", "device_num",
                                       "platform", "device",  "device_context", "targetsync"};
constexpr std::array return_code_texts = {"there is an answer",
                                          "the object is omp_interop_none, which has no properties",
                                          "there is no property of this number",
                                          "the property is a number: omp_get_interop_int has it",
                                          "the property is an address: omp_get_interop_ptr has it",
                                          "the property is a text: omp_get_interop_str has it",
                                          "the object is none that the runtime has made"};

constexpr const char* host_name = "OMP_INITIAL_DEVICE";

bool is_property(int number) { return number < 0 && number >= -static_cast<int>(property_names.size()); }

/// Effect: *code, if the program wants it, is why there is no answer.
void say_why(interop_object object, int property, int* code) {
  if (code == nullptr) return;
  if (!is_property(property)) *code = out_of_range;
  else *code = object == no_object ? empty : other;
}

const char* text_of(return_code code) {
  if (code == no_value) return "the property has no value";
  return code <= success && code >= other ? return_code_texts[static_cast<std::size_t>(-code)] : nullptr;
}

/// Effect: of a function of gfortran's that returns a text: where it is, and its length.
void return_text(const char* text, const char** to, std::size_t* length) {
  *to = text;
  *length = text != nullptr ? std::strlen(text) : 0;
}

int device_of(std::string_view name) { return name == host_name ? initial_device : invalid_device; }

}  // namespace

TEFF_ENTRY int omp_get_num_interop_properties(interop_object) { return 0; }
TEFF_ENTRY std::intptr_t omp_get_interop_int(interop_object object, int property, int* code) {
  say_why(object, property, code);
  return 0;
}
TEFF_ENTRY void* omp_get_interop_ptr(interop_object object, int property, int* code) {
  say_why(object, property, code);
  return nullptr;
}
TEFF_ENTRY const char* omp_get_interop_str(interop_object object, int property, int* code) {
  say_why(object, property, code);
  return nullptr;
}
TEFF_ENTRY const char* omp_get_interop_name(interop_object, int property) {
  return is_property(property) ? property_names[static_cast<std::size_t>(-1 - property)] : nullptr;
}
TEFF_ENTRY const char* omp_get_interop_type_desc(interop_object, int) { return nullptr; }
TEFF_ENTRY const char* omp_get_interop_rc_desc(interop_object, return_code code) { return text_of(code); }

// gfortran passes these by value, too.
TEFF_ENTRY void omp_get_interop_str_(const char** to, std::size_t* length, interop_object object, int property, int* code) {
  return_text(omp_get_interop_str(object, property, code), to, length);
}
TEFF_ENTRY void omp_get_interop_name_(const char** to, std::size_t* length, interop_object object, int property) {
  return_text(omp_get_interop_name(object, property), to, length);
}
TEFF_ENTRY void omp_get_interop_type_desc_(const char** to, std::size_t* length, interop_object object, int property) {
  return_text(omp_get_interop_type_desc(object, property), to, length);
}
TEFF_ENTRY void omp_get_interop_rc_desc_(const char** to, std::size_t* length, interop_object, return_code code) {
  return_text(text_of(code), to, length);
}

TEFF_ENTRY const char* omp_get_uid_from_device(int device) { return is_known_host(device) ? host_name : nullptr; }
TEFF_ENTRY void omp_get_uid_from_device_(const char** to, std::size_t* length, narrow device) {
  return_text(omp_get_uid_from_device(device), to, length);
}
TEFF_ENTRY void omp_get_uid_from_device_8_(const char** to, std::size_t* length, wide device) {
  return_text(omp_get_uid_from_device(cut(device)), to, length);
}
TEFF_ENTRY int omp_get_device_from_uid(const char* name) { return name != nullptr ? device_of(name) : invalid_device; }
TEFF_ENTRY int omp_get_device_from_uid_(const char* name, std::size_t length) { return device_of({name, length}); }

}  // namespace TEFF_NAMESPACE::openmp
