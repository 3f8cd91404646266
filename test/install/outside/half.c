/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <teff/teff.h>

int workers_by_c(void) {
  teff_team* team;
  if (teff_create(&team, "dq5", "dgbkof", 2, 0, "wait=park chunk=16", 0, 0) != TEFF_OK) return 0;
  const int workers = teff_workers(team);
  teff_finalize(&team);
  return workers;
}
