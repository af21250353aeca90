// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linker for the code of one program: one piece of memory has all instructions, then all constants and the table of
// addresses that are too far for an instruction. The JIT does the same by way of a graph of symbols, sessions and
// queues, which for a small program takes 7 % of compile time.

#include "mlir_xla/lowering/native/LinkDirectly.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace llvm::ELF;

namespace mlir::xla {
namespace {

using Elf = llvm::object::ELF64LE;
using ElfFile = llvm::object::ELFFile<Elf>;

class Mapped : public LoadedCode {
public:
  Mapped(char *memory, size_t size) : memory(memory), size(size) {}
  ~Mapped() override { munmap(memory, size); }
  char *const memory;
  const size_t size;
};

/// What it cannot link makes `false`, and errors of the reader with it.
template <typename T> bool take(llvm::Expected<T> given, T &result) {
  if (!given) {
    llvm::consumeError(given.takeError());
    return false;
  }
  result = std::move(*given);
  return true;
}

class Linker {
public:
  explicit Linker(llvm::function_ref<const void *(StringRef)> external) : external(external) {}

  bool read(ArrayRef<SmallVector<char, 0>> objects) {
    for (const SmallVector<char, 0> &object : objects)
      if (!read(StringRef(object.data(), object.size())))
        return false;
    return true;
  }

  /// Places sections, tables behind them, and what objects define.
  bool place() {
    uint64_t end = 0;
    placeSections(/*code=*/true, end);
    stubs = llvm::alignTo(end, kSlot);
    const uint64_t page = sysconf(_SC_PAGESIZE);
    codeSize = end = llvm::alignTo(stubs + mostSlots * kSlot, page);
    placeSections(/*code=*/false, end);
    slots = llvm::alignTo(end, kSlot);
    size = llvm::alignTo(slots + mostSlots * kSlot, page);
    for (Object &object : parts) {
      for (const Elf::Sym &symbol : object.symbols) {
        if (symbol.getBinding() == STB_LOCAL || symbol.st_shndx == SHN_UNDEF)
          continue;
        StringRef name;
        uint64_t at;
        if (!take(symbol.getName(object.names), name) || !locate(object, symbol, at) ||
            !defined.try_emplace(name, at).second)
          return false;
      }
    }
    return true;
  }

  std::unique_ptr<Mapped> link(StringRef entry) {
    auto found = defined.find(entry);
    void *memory = found == defined.end()
                       ? MAP_FAILED
                       : mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return nullptr;
    auto mapped = std::make_unique<Mapped>(static_cast<char *>(memory), size);
    base = mapped->memory;
    for (Object &object : parts) {
      for (auto [section, offset] : llvm::zip_equal(object.sections, object.offsets)) {
        ArrayRef<uint8_t> bytes;
        if (offset == kNowhere || section.sh_type == SHT_NOBITS)
          continue;
        if (!take(object.file.getSectionContents(section), bytes))
          return nullptr;
        llvm::copy(bytes, base + offset);
      }
      if (!relocate(object))
        return nullptr;
    }
    if (mprotect(base, codeSize, PROT_READ | PROT_EXEC) != 0 ||
        mprotect(base + codeSize, size - codeSize, PROT_READ) != 0)
      return nullptr;
    mapped->entry = base + found->second;
    return mapped;
  }

private:
  static constexpr uint64_t kNowhere = ~uint64_t(0);
  static constexpr uint64_t kSlot = 8; // bytes of an address, and of a jump to one

  struct Object {
    explicit Object(ElfFile file) : file(std::move(file)) {}
    ElfFile file;
    Elf::ShdrRange sections;
    Elf::SymRange symbols;
    StringRef names;
    SmallVector<uint64_t> offsets; // of sections in the memory
  };

  bool read(StringRef bytes) {
    auto file = ElfFile::create(bytes);
    if (!file) {
      llvm::consumeError(file.takeError());
      return false;
    }
    Object &object = parts.emplace_back(std::move(*file));
    const Elf::Ehdr &header = object.file.getHeader();
    if (header.e_machine != EM_X86_64 || header.e_type != ET_REL || !take(object.file.sections(), object.sections))
      return false;
    for (const Elf::Shdr &section : object.sections) {
      if (section.sh_type == SHT_SYMTAB && (!take(object.file.symbols(&section), object.symbols) ||
                                            !take(object.file.getStringTableForSymtab(section), object.names)))
        return false;
      if (section.sh_type == SHT_RELA)
        mostSlots += section.sh_size / sizeof(Elf::Rela);
      bool isData = section.sh_type == SHT_PROGBITS || section.sh_type == SHT_NOBITS;
      if ((section.sh_flags & SHF_ALLOC) && (!isData || (section.sh_flags & (SHF_WRITE | SHF_TLS))))
        return false;
    }
    object.offsets.assign(object.sections.size(), kNowhere);
    return true;
  }

  void placeSections(bool code, uint64_t &end) {
    for (Object &object : parts) {
      for (auto [section, offset] : llvm::zip_equal(object.sections, object.offsets)) {
        if (!(section.sh_flags & SHF_ALLOC) || bool(section.sh_flags & SHF_EXECINSTR) != code)
          continue;
        offset = llvm::alignTo(end, std::max<uint64_t>(section.sh_addralign, 1));
        end = offset + section.sh_size;
      }
    }
  }

  /// The place of a symbol of a section.
  static bool locate(const Object &object, const Elf::Sym &symbol, uint64_t &at) {
    if (symbol.st_shndx >= object.offsets.size() || object.offsets[symbol.st_shndx] == kNowhere)
      return false;
    at = object.offsets[symbol.st_shndx] + symbol.st_value;
    return true;
  }

  /// The slot of an address; -1 for none left.
  int64_t slotOf(const char *address) {
    auto [known, isNew] = slotOfAddress.try_emplace(address, slotOfAddress.size());
    if (isNew) {
      if (known->second >= mostSlots)
        return -1;
      llvm::support::endian::write64le(base + slots + known->second * kSlot, reinterpret_cast<uintptr_t>(address));
      // jmp *slot(%rip)
      char *stub = base + stubs + known->second * kSlot;
      stub[0] = char(0xff);
      stub[1] = 0x25;
      llvm::support::endian::write32le(stub + 2, slots - stubs - 6);
    }
    return known->second;
  }

  bool relocate(const Object &object) {
    for (const Elf::Shdr &section : object.sections) {
      if (section.sh_type != SHT_RELA)
        continue;
      Elf::RelaRange relocations;
      if (section.sh_info >= object.offsets.size() || !take(object.file.relas(section), relocations))
        return false;
      uint64_t offset = object.offsets[section.sh_info], length = object.sections[section.sh_info].sh_size;
      if (offset == kNowhere)
        continue;
      for (const Elf::Rela &relocation : relocations)
        if (length < 4 || relocation.r_offset > length - 4 ||
            !relocate(object, relocation, base + offset + relocation.r_offset))
          return false;
    }
    return true;
  }

  bool relocate(const Object &object, const Elf::Rela &relocation, char *place) {
    uint32_t number = relocation.getSymbol(/*isMips64EL=*/false);
    if (number >= object.symbols.size())
      return false;
    const Elf::Sym &symbol = object.symbols[number];
    const char *target;
    bool isFar = false;
    if (symbol.st_shndx != SHN_UNDEF) {
      uint64_t at;
      if (!locate(object, symbol, at))
        return false;
      target = base + at;
    } else {
      StringRef name;
      if (!take(symbol.getName(object.names), name))
        return false;
      auto found = defined.find(name);
      isFar = found == defined.end();
      target = isFar ? static_cast<const char *>(external(name)) : base + found->second;
      if (!target)
        return false;
    }
    switch (relocation.getType(/*isMips64EL=*/false)) {
    case R_X86_64_PC32:
      if (isFar)
        return false;
      break;
    case R_X86_64_PLT32:
      if (isFar) {
        int64_t slot = slotOf(target);
        if (slot < 0)
          return false;
        target = base + stubs + slot * kSlot;
      }
      break;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX: {
      int64_t slot = slotOf(target);
      if (slot < 0)
        return false;
      target = base + slots + slot * kSlot;
      break;
    }
    default:
      return false;
    }
    int64_t distance = target - place + relocation.r_addend;
    if (!llvm::isInt<32>(distance))
      return false;
    llvm::support::endian::write32le(place, static_cast<uint32_t>(distance));
    return true;
  }

  llvm::function_ref<const void *(StringRef)> external;
  std::vector<Object> parts;
  llvm::StringMap<uint64_t> defined;
  llvm::DenseMap<const char *, uint64_t> slotOfAddress;
  uint64_t mostSlots = 0, stubs = 0, slots = 0, codeSize = 0, size = 0;
  char *base = nullptr;
};

} // namespace

std::unique_ptr<LoadedCode> linkDirectly(ArrayRef<SmallVector<char, 0>> objects, StringRef entry,
                                         llvm::function_ref<const void *(StringRef)> external) {
#ifdef __x86_64__
  Linker linker(external);
  if (linker.read(objects) && linker.place())
    return linker.link(entry);
#endif
  return nullptr;
}

} // namespace mlir::xla
