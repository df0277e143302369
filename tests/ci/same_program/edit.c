// Edits a 64-bit ELF file in place, as tools do that this project cannot count on: `edit HOW FILE`.

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char bytes[1 << 20];
static size_t size;

static Elf64_Ehdr* header(void) { return (Elf64_Ehdr*)bytes; }
static Elf64_Phdr* segments(void) { return (Elf64_Phdr*)(bytes + header()->e_phoff); }

/// As sstrip(1): nothing is left behind what is loaded, and no table tells of sections.
static void strip_sections(void) {
  size_t end = 0;
  for (int i = 0; i < header()->e_phnum; ++i) {
    const Elf64_Phdr* segment = &segments()[i];
    if (segment->p_offset + segment->p_filesz > end) {
      end = segment->p_offset + segment->p_filesz;
    }
  }
  header()->e_shoff = 0;
  header()->e_shnum = header()->e_shstrndx = 0;
  size = end;
}

/// The interpreter's name goes behind everything, where no segment is loaded from.
static void move_interpreter(const char* name) {
  for (int i = 0; i < header()->e_phnum; ++i) {
    Elf64_Phdr* segment = &segments()[i];
    if (segment->p_type == PT_INTERP) {
      segment->p_offset = size;
      segment->p_filesz = segment->p_memsz = strlen(name) + 1;
    }
  }
  memcpy(bytes + size, name, strlen(name) + 1);
  size += strlen(name) + 1;
}

int main(int count, char** words) {
  FILE* const file = count > 2 ? fopen(words[2], "rb") : NULL;
  if (file == NULL) {
    return 1;
  }
  size = fread(bytes, 1, sizeof bytes / 2, file);
  fclose(file);
  if (strcmp(words[1], "strip-sections") == 0) {
    strip_sections();
  } else if (count > 3) {
    move_interpreter(words[3]);
  }
  FILE* const out = fopen(words[2], "wb");
  return out == NULL || fwrite(bytes, 1, size, out) != size || fclose(out) != 0;
}
