#pragma once

namespace perf::nvml {

// The part of NVIDIA's management library that is used, by names, layouts and numbers of nvml.h 13
// (https://docs.nvidia.com/deploy/nvml-api; github.com/NVIDIA/go-nvml, gen/nvml/nvml.h). The tests'
// library (tests/device/scripted_nvml.cpp) is written against these declarations, too.

struct DeviceTag;
using Device = DeviceTag*;
using Result = int;  ///< nvmlReturn_t

inline constexpr Result kSuccess = 0, kUninitialized = 1, kInvalidArgument = 2, kNotSupported = 3,
                        kNoPermission = 4, kNotFound = 6, kInsufficientSize = 7,
                        kDriverNotLoaded = 9, kLost = 15;

inline constexpr unsigned kNameSize = 96, kUuidSize = 96, kVersionSize = 80;
inline constexpr unsigned kSmClock = 1;         ///< NVML_CLOCK_SM
inline constexpr unsigned kGpuTemperature = 0;  ///< NVML_TEMPERATURE_GPU

struct Memory {
  unsigned long long total, free, used;  ///< B; used contains what the driver reserves
};

struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;  ///< B
};
inline constexpr unsigned kMemoryV2 = sizeof(MemoryV2) | (2U << 24U);

struct Utilization {
  unsigned gpu, memory;  ///< %
};

struct Process {  ///< nvmlProcessInfo_v2_t
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};

/// Reasons for a lower clock that its user did not set: bits of
/// nvmlDeviceGetCurrentClocksThrottleReasons.
struct Reason {
  unsigned long long bit;
  const char* name;
};
inline constexpr unsigned long long kClocksSet = 0x2;  ///< by the user, as application clocks
inline constexpr Reason kReasons[]{
    {0x4, "power cap"},         {0x8, "hardware slowdown"},          {0x10, "sync boost"},
    {0x20, "thermal slowdown"}, {0x40, "hardware thermal slowdown"}, {0x80, "power brake"},
    {0x100, "display clock"}};

// FUNCTION(member, name, parameters...). A driver may lack any of them.
// clang-format off
#define PERF_NVML_FUNCTIONS(FUNCTION)                                                              \
  FUNCTION(init, nvmlInit_v2, void)                                                                \
  FUNCTION(driver_version, nvmlSystemGetDriverVersion, char*, unsigned)                            \
  FUNCTION(cuda_version, nvmlSystemGetCudaDriverVersion_v2, int*)                                  \
  FUNCTION(count, nvmlDeviceGetCount_v2, unsigned*)                                                \
  FUNCTION(by_index, nvmlDeviceGetHandleByIndex_v2, unsigned, Device*)                             \
  FUNCTION(by_uuid, nvmlDeviceGetHandleByUUID, const char*, Device*)                               \
  FUNCTION(name, nvmlDeviceGetName, Device, char*, unsigned)                                       \
  FUNCTION(uuid, nvmlDeviceGetUUID, Device, char*, unsigned)                                       \
  FUNCTION(memory, nvmlDeviceGetMemoryInfo, Device, Memory*)                                       \
  FUNCTION(memory_v2, nvmlDeviceGetMemoryInfo_v2, Device, MemoryV2*)                               \
  FUNCTION(mig_mode, nvmlDeviceGetMigMode, Device, unsigned*, unsigned*)                           \
  FUNCTION(mig_count, nvmlDeviceGetMaxMigDeviceCount, Device, unsigned*)                           \
  FUNCTION(mig_by_index, nvmlDeviceGetMigDeviceHandleByIndex, Device, unsigned, Device*)           \
  FUNCTION(parent_of_mig, nvmlDeviceGetDeviceHandleFromMigDeviceHandle, Device, Device*)           \
  FUNCTION(ecc_mode, nvmlDeviceGetEccMode, Device, unsigned*, unsigned*)                           \
  FUNCTION(power_limit, nvmlDeviceGetEnforcedPowerLimit, Device, unsigned*)                        \
  FUNCTION(default_power_limit, nvmlDeviceGetPowerManagementDefaultLimit, Device, unsigned*)       \
  FUNCTION(max_clock, nvmlDeviceGetMaxClockInfo, Device, unsigned, unsigned*)                      \
  FUNCTION(application_clock, nvmlDeviceGetApplicationsClock, Device, unsigned, unsigned*)         \
  FUNCTION(persistence, nvmlDeviceGetPersistenceMode, Device, unsigned*)                           \
  FUNCTION(pci_width, nvmlDeviceGetCurrPcieLinkWidth, Device, unsigned*)                           \
  FUNCTION(display, nvmlDeviceGetDisplayActive, Device, unsigned*)                                 \
  FUNCTION(clock, nvmlDeviceGetClockInfo, Device, unsigned, unsigned*)                             \
  FUNCTION(reasons, nvmlDeviceGetCurrentClocksThrottleReasons, Device, unsigned long long*)        \
  FUNCTION(energy, nvmlDeviceGetTotalEnergyConsumption, Device, unsigned long long*)               \
  FUNCTION(temperature, nvmlDeviceGetTemperature, Device, unsigned, unsigned*)                     \
  FUNCTION(utilization, nvmlDeviceGetUtilizationRates, Device, Utilization*)                       \
  FUNCTION(processes, nvmlDeviceGetComputeRunningProcesses_v3, Device, unsigned*, Process*)        \
  FUNCTION(mps_processes, nvmlDeviceGetMPSComputeRunningProcesses_v3, Device, unsigned*, Process*)
// clang-format on

/// The loaded library: a null pointer for what it lacks.
struct Library {
#define PERF_NVML_MEMBER(member, symbol, ...) Result (*member)(__VA_ARGS__) = nullptr;
  PERF_NVML_FUNCTIONS(PERF_NVML_MEMBER)
#undef PERF_NVML_MEMBER
};

}  // namespace perf::nvml
