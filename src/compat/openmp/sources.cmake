# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The drop-in's own files: for the library, and for tests that have them linked in.
set(teff_openmp_sources
  affinity.cpp
  allocators.cpp
  barrier.cpp
  batches.cpp
  blocks.cpp
  cancel.cpp
  display.cpp
  doacross.cpp
  engine.cpp
  entry_doacross.cpp
  entry_loops.cpp
  entry_reductions.cpp
  entry_regions.cpp
  entry_tasks.cpp
  environment.cpp
  events.cpp
  forked.cpp
  os_thread.cpp
  icv.cpp
  lock_word.cpp
  locks.cpp
  own_variables.cpp
  places.cpp
  put_or_run.cpp
  queries.cpp
  refuse.cpp
  reductions.cpp
  region.cpp
  stats.cpp
  tasks.cpp
  team.cpp
  workshare.cpp
  worksharing.cpp
)
list(TRANSFORM teff_openmp_sources PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
