#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <array>
#include <map>

#include "collector/machine/readings.h"

// x86 tells by CPUID whether and on which hypervisor it runs. Other processors do not: there the
// firmware's texts do, as in systemd's detect-virt.c.
namespace perf {
namespace {

struct FirmwareText {
  const char* file;
  std::string_view begins;
  const char* hypervisor;
};

constexpr std::array<FirmwareText, 8> kFirmwareOfGuests{{
    {"proc/device-tree/hypervisor/compatible", "linux,kvm", "kvm"},
    {"proc/device-tree/hypervisor/compatible", "xen", "xen"},
    {"sys/class/dmi/id/sys_vendor", "QEMU", "qemu"},
    {"sys/class/dmi/id/sys_vendor", "KVM", "kvm"},
    {"sys/class/dmi/id/sys_vendor", "Amazon EC2", "amazon"},
    {"sys/class/dmi/id/product_name", "Google Compute Engine", "google"},
    {"sys/class/dmi/id/product_name", "OpenStack", "openstack"},
    {"sys/class/dmi/id/product_name", "Virtual Machine", "hyperv"},
}};

/// Empty where unknown: also of physical machines, whose texts are their makers'.
std::string hypervisor_by_firmware(const std::filesystem::path& root) {
  if (read_line_of(root / "sys/class/dmi/id/product_name").ends_with(".metal")) {
    return "none";  // Amazon's, with the vendor of its guests
  }
  for (const auto& [file, begins, hypervisor] : kFirmwareOfGuests) {
    if (read_small_file(root / file).starts_with(begins)) {
      return hypervisor;
    }
  }
  return "";
}

}  // namespace

std::string hypervisor_signature() {
  std::string signature;
#if defined(__x86_64__) || defined(__i386__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kHypervisorBit = 1u << 31;
  if (__get_cpuid(1, &a, &b, &c, &d) != 0 && (c & kHypervisorBit) != 0) {
    __cpuid(0x40000000u, a, b, c, d);
    const std::array<unsigned, 3> words{b, c, d};
    signature.assign(reinterpret_cast<const char*>(words.data()), sizeof words);
    signature.erase(std::ranges::find(signature, '\0'), signature.end());
  }
#endif
  return signature;
}

std::string hypervisor_of(const std::filesystem::path& root, const std::string& signature,
                          const Processor& processor) {
  static const std::map<std::string, std::string> kSignatures{
      {"KVMKVMKVM", "kvm"},           {"Linux KVM Hv", "kvm"},   {"Microsoft Hv", "hyperv"},
      {"VMwareVMware", "vmware"},     {"XenVMMXenVMM", "xen"},   {"TCGTCGTCGTCG", "qemu"},
      {"VBoxVBoxVBox", "virtualbox"}, {"bhyve bhyve ", "bhyve"}, {"prl hyperv", "parallels"}};
  if (processor.virtualized == false) {
    return "none";
  }
  if (!signature.empty()) {
    const auto known = kSignatures.find(signature);
    return known != kSignatures.end() ? known->second : signature;
  }
  const std::string type = read_line_of(root / "sys/hypervisor/type");
  if (!type.empty()) {
    return type;
  }
  if (!processor.virtualized) {
    return hypervisor_by_firmware(root);
  }
  const std::string vendor = read_line_of(root / "sys/class/dmi/id/sys_vendor");
  return vendor.empty() ? "present" : vendor;
}

}  // namespace perf
