#include "workloads/kernels/arena.h"

#include <sys/mman.h>

#include <new>

namespace perf::workloads {

namespace {
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kPage = 4096;
}  // namespace

Arena::Arena(std::size_t bytes) : size_((bytes + kHugePage - 1) / kHugePage * kHugePage) {
  if (size_ == 0) {
    size_ = kHugePage;
  }
  // One huge page more than asked for, so that the start can be aligned to one; the slack is never
  // touched and so costs no memory.
  void* mapping = mmap(nullptr, size_ + kHugePage, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    throw std::bad_alloc();
  }
  auto* start = static_cast<std::byte*>(mapping);
  const std::size_t offset = reinterpret_cast<std::size_t>(start) % kHugePage;
  const std::size_t head = offset == 0 ? 0 : kHugePage - offset;
  if (head > 0) {
    munmap(start, head);
  }
  memory_ = start + head;
  if (kHugePage > head) {
    munmap(memory_ + size_, kHugePage - head);
  }
  madvise(memory_, size_, MADV_HUGEPAGE);
#pragma omp parallel for schedule(static)
  for (std::size_t page = 0; page < size_ / kPage; ++page) {
    memory_[page * kPage] = std::byte{0};
  }
}

Arena::~Arena() {
  munmap(memory_, size_);
}

void* Arena::take_bytes(std::size_t bytes) {
  const std::size_t room = Arena::room<std::byte>(bytes);
  if (room > size_ - used_) {
    throw std::logic_error("arena too small: count its room again");
  }
  void* taken = memory_ + used_;
  used_ += room;
  return taken;
}

}  // namespace perf::workloads
