// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of the heap a process has in use, for heap.py: loaded before all libraries (LD_PRELOAD), it stands before
// the functions of the C library that allocate, and counts.

#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic int64_t used, peak;

/// Bytes in use now.
int64_t heap_used(void) { return atomic_load(&used); }
/// The most that were in use since the last call of this function.
int64_t heap_peak(void) { return atomic_exchange(&peak, atomic_load(&used)); }

static void *taken(void *block) {
  if (!block)
    return block;
  int64_t now = atomic_fetch_add(&used, malloc_usable_size(block)) + malloc_usable_size(block);
  int64_t before = atomic_load(&peak);
  while (now > before && !atomic_compare_exchange_weak(&peak, &before, now)) {
  }
  return block;
}

static void given(void *block) {
  if (block)
    atomic_fetch_sub(&used, malloc_usable_size(block));
}

// The C library's own, by the names under which it has them for such a purpose.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

void *malloc(size_t size) { return taken(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return taken(__libc_calloc(count, size)); }
void *realloc(void *block, size_t size) {
  int64_t before = block ? malloc_usable_size(block) : 0;
  void *moved = __libc_realloc(block, size);
  if (moved || !size)
    atomic_fetch_sub(&used, before);
  return taken(moved);
}
void *memalign(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **block, size_t alignment, size_t size) {
  if (!(*block = memalign(alignment, size)))
    return ENOMEM;
  return 0;
}
void free(void *block) {
  given(block);
  __libc_free(block);
}
