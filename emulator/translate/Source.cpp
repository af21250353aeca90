// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an address in compiled code to the line of PTX, and from that to the location that it was made from.

#include "Jit.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"

namespace cuda_emu {

using namespace llvm;

unsigned ModuleSource::lineOf(uint64_t address) const {
  auto found = functions.upper_bound(address);
  if (found == functions.begin())
    return 0;
  --found;
  auto file = object::ObjectFile::createObjectFile(MemoryBufferRef(object, "ptx"));
  if (!file) {
    consumeError(file.takeError());
    return 0;
  }
  for (const object::SymbolRef &symbol : (*file)->symbols()) {
    auto name = symbol.getName();
    auto start = symbol.getAddress();
    auto section = symbol.getSection();
    if (name && start && section && *name == found->second) {
      auto context = DWARFContext::create(**file);
      auto line = context->getLineInfoForAddress({*start + address - found->first, (*section)->getIndex()});
      return line ? line->Line : 0;
    }
    consumeError(name.takeError());
    consumeError(start.takeError());
    consumeError(section.takeError());
  }
  return 0;
}

std::string ModuleSource::describe(unsigned line) const {
  if (!line)
    return "";
  std::string text = "PTX line " + std::to_string(line);
  auto found = locations.find(line);
  if (found == locations.end() || !found->second)
    return text;
  const ptx::Location &location = module->locations[found->second];
  auto file = module->files.find(location.file);
  return text + " (" + (file == module->files.end() ? "?" : file->second) + ":" + std::to_string(location.line) + ":" +
         std::to_string(location.column) + ")";
}

} // namespace cuda_emu
