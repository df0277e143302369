#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace perf::workloads {

/// OpenBLAS and OpenMP read their settings while they are loaded, before main: a program that knows
/// better has to set the variables and start itself again. It costs a few milliseconds, before
/// anything is timed, and never overrides a variable that the user has set.
///
/// OPENBLAS_CORETYPE. OpenBLAS picks its kernels ("core") from a list of CPUs that ends with its
/// own release; on a newer CPU it may fall back to Haswell or Zen, whose AVX2 kernels run at half
/// the rate. 2048^3 sgemm on 2 cores of a Zen 5 EPYC, OpenBLAS 0.3.21, GFLOP/s in two runs each:
///     Haswell 274 274    Zen 272 272    SkylakeX 509 499    Cooperlake 498 480
/// So an AVX-512 machine gets an AVX-512 core. Which of them is within the noise for fp32: the
/// library's own choice stands if it is one, else SkylakeX, which asks least of the CPU.
///
/// GOMP_SPINCOUNT. A thread that waits for the others spins, by default for milliseconds. On a
/// machine with other work the thread it waits for is often not running, and the spinning keeps it
/// from running. inference/generate at size smoke, 2 cores, median step (wall of an invocation):
///     spin count            default         300          1000         3000
///     quiet               7.5 ms (0.1 s)   13.5 ms       7.5 ms       7.5 ms
///     one busy process     38 ms (4.5 s)    28 ms (1 s)   51 ms (.8 s)  86 ms (1 s)
/// With a compiler on both cores the default took up to 14 s for an invocation of 0.1 s. Pinning
/// (OMP_PROC_BIND) changed nothing, OMP_WAIT_POLICY=passive cost a factor of 4 on the quiet
/// machine.
inline constexpr const char* kSpinCount = "2000";

/// PERF_COMPARE_ISA=avx2|avx512 chooses the instructions of our kernels, of OpenBLAS and of oneDNN
/// alike, whatever their own variables say. Without it our kernels are for what the CPU has: those
/// for AVX-512 are another program, `perf-workloads-avx512` beside this one, because all that is
/// inlined in them is compiled for it.
inline constexpr const char* kChosenIsa = "PERF_COMPARE_ISA";

/// What the decision depends on, so that it can be tested on any machine.
struct ProcessFacts {
  std::string_view blas_core;
  bool cpu_has_avx512 = false;
  bool is_x86 = true;                                ///< elsewhere OpenBLAS's choice stands
  std::function<const char*(const char*)> variable;  ///< of the environment; null where not set
};

struct Restart {
  std::string isa;                               ///< of the kernels to run with: avx2, avx512
  std::map<std::string, std::string> variables;  ///< to set
};

/// How to go on. Throws Error where what PERF_COMPARE_ISA asks for is not known, or not there.
Restart better_start(const ProcessFacts& facts);

/// Whether OpenBLAS's core uses AVX-512.
bool is_avx512_core(std::string_view core);

/// Starts this program again as `restart` has it. Returns if nothing would differ, if it has
/// restarted before, or if exec fails: slower and recorded as such beats not running.
void restart_as(const Restart& restart, char** argv);

/// The whole rule for this process.
void restart_in_better_environment(char** argv);

}  // namespace perf::workloads
