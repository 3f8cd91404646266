// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interop objects, and names of devices: gcc has them from version 15 on, so that the functions are looked up by name, and the
// directive is called as gcc 15 does. A program has none but omp_interop_none on the host.
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <string.h>

enum { none = 0, properties = 9, initial_device = -1, invalid_device = -4, default_device = -5 };
enum { no_value = 1, success = 0, empty = -1, out_of_range = -2, type_str = -5, other = -6 };

typedef uintptr_t object;
typedef int count_of(object);
typedef intptr_t number_of(object, int, int*);
typedef void* address_of(object, int, int*);
typedef const char* text_of(object, int, int*);
typedef const char* name_of(object, int);
typedef void text_for_fortran(const char**, size_t*, object, int, int*);
typedef void name_for_fortran(const char**, size_t*, object, int);
typedef const char* name_of_device(int);
typedef void fortran_name_of_device(const char**, size_t*, int32_t);
typedef void fortran_name_of_device_8(const char**, size_t*, int64_t);
typedef int device_of(const char*);
typedef int fortran_device_of(const char*, size_t);
typedef void directive(int, int, object**, const int*, const char**, int, object*, int, object**, unsigned, void**);

static void* find(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  check(found != NULL, "there is no %s", name);
  return found;
}

/// No property has a value, and the code says why.
static void no_values(object of, int property, int expected) {
  int code = 99;
  check(((number_of*)find("omp_get_interop_int"))(of, property, &code) == 0 && code == expected, "int %d: %d", property, code);
  code = 99;
  check(((address_of*)find("omp_get_interop_ptr"))(of, property, &code) == NULL && code == expected, "ptr %d: %d", property,
        code);
  code = 99;
  check(((text_of*)find("omp_get_interop_str"))(of, property, &code) == NULL && code == expected, "str %d: %d", property, code);
  check(((text_of*)find("omp_get_interop_str"))(of, property, NULL) == NULL, "str %d without a code", property);
  code = 99;
  const char* text = "some";
  size_t length = 99;
  ((text_for_fortran*)find("omp_get_interop_str_"))(&text, &length, of, property, &code);
  check(text == NULL && length == 0 && code == expected, "Fortran's str %d: %d", property, code);
}

static void no_type(int property) {
  const char* text = "some";
  size_t length = 99;
  check(((name_of*)find("omp_get_interop_type_desc"))(none, property) == NULL, "the type of property %d is known", property);
  ((name_for_fortran*)find("omp_get_interop_type_desc_"))(&text, &length, none, property);
  check(text == NULL && length == 0, "Fortran knows the type of property %d", property);
}

/// One that both languages have, under a number that others have not.
static void is_named(const char* function, const char* for_fortran, int number, const char* part) {
  const char *text = NULL, *const found = ((name_of*)find(function))(none, number);
  size_t length = 0;
  check(found != NULL && strstr(found, part) != NULL, "%s of %d is %s, without %s", function, number, found, part);
  ((name_for_fortran*)find(for_fortran))(&text, &length, none, number);
  check(text != NULL && length == strlen(found) && memcmp(text, found, length) == 0, "%s of %d is another one", for_fortran,
        number);
}

static void questions(void) {
  check(((count_of*)find("omp_get_num_interop_properties"))(none) == 0, "an object has properties");
  for (int property = -1; property >= -properties; --property) {
    no_values(none, property, empty);
    no_values(0x1234, property, other);
    no_type(property);
  }
  no_values(none, 0, out_of_range);
  no_values(none, -properties - 1, out_of_range);
  is_named("omp_get_interop_name", "omp_get_interop_name_", -1, "fr_id");
  is_named("omp_get_interop_name", "omp_get_interop_name_", -4, "vendor_name");
  is_named("omp_get_interop_name", "omp_get_interop_name_", -properties, "targetsync");
  is_named("omp_get_interop_rc_desc", "omp_get_interop_rc_desc_", empty, "omp_interop_none");
  is_named("omp_get_interop_rc_desc", "omp_get_interop_rc_desc_", type_str, "omp_get_interop_str");
  is_named("omp_get_interop_rc_desc", "omp_get_interop_rc_desc_", success, "answer");
  is_named("omp_get_interop_rc_desc", "omp_get_interop_rc_desc_", no_value, "no value");
  name_of* const describe = (name_of*)find("omp_get_interop_rc_desc");
  check(describe(none, other) != NULL && describe(none, other - 1) == NULL && describe(none, no_value + 1) == NULL, "codes");
  name_of* const name = (name_of*)find("omp_get_interop_name");
  check(name(none, 0) == NULL && name(none, -properties - 1) == NULL, "a property that there is not has a name");
}

/// The host's, which is the default device.
static void devices(void) {
  const char *text = NULL, *const host = ((name_of_device*)find("omp_get_uid_from_device"))(initial_device);
  check(host != NULL && ((name_of_device*)find("omp_get_uid_from_device"))(1) == NULL, "names of devices");
  size_t length = 0;
  ((fortran_name_of_device*)find("omp_get_uid_from_device_"))(&text, &length, default_device);
  check(text == host && length == strlen(host), "Fortran has another name of the host");
  ((fortran_name_of_device_8*)find("omp_get_uid_from_device_8_"))(&text, &length, (int64_t)1 << 32);
  check(text == NULL && length == 0, "a device that there is not has a name");
  device_of* const device = (device_of*)find("omp_get_device_from_uid");
  check(device(host) == initial_device && device("") == invalid_device && device("a") == invalid_device, "devices of names");
  fortran_device_of* const fortran_device = (fortran_device_of*)find("omp_get_device_from_uid_");
  check(fortran_device(host, strlen(host)) == initial_device, "Fortran does not find the host");
  check(fortran_device(host, strlen(host) - 1) == invalid_device, "Fortran finds the host by a part of its name");
}

/// Set to anything before, each object is none behind the directive, which waits for tasks as `depend` says.
static void directives(void) {
  directive* const interop = (directive*)find("GOMP_interop");
  object first = 0x1234, second = 0x5678, *const both[2] = {&first, &second};
  const int kinds[2] = {1, 3};
  int done = 0, seen = 0;
  interop(default_device, 2, (object**)both, kinds, NULL, 0, NULL, 0, NULL, 0, NULL);
  check(first == none && second == none, "an object that was made is not none");
  first = 0x1234;
  interop(0, 0, NULL, NULL, NULL, 1, &second, 1, (object**)both, 0, NULL);
  check(first == none, "an object that was destroyed is not none");
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task depend(out : done)
    {
      int never = 0;
      stays_clear(&never);
      store(&done, 1);
    }
    void* behind[] = {(void*)1, (void*)1, &done};  // one address, out
    interop(default_device, 1, (object**)both, kinds, NULL, 0, NULL, 0, NULL, 0, behind);
    check(load(&done), "the directive does not wait for what its depend clause names");
#pragma omp task depend(out : done)
    {
      int never = 0;
      stays_clear(&never);
      store(&done, 2);
    }
    interop(default_device, 1, (object**)both, kinds, NULL, 0, NULL, 0, NULL, 1, behind);  // nowait
#pragma omp task depend(in : done)
    seen = load(&done);
  }
  check(seen == 2, "a task behind the directive, and so behind what that is behind, sees %d", seen);
}

int main(void) {
  questions();
  devices();
  directives();
  return 0;
}
