/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CODEC_CODE_H
#define CODEC_CODE_H

#include <stddef.h>
#include <stdint.h>

/* What machine code is for; those that a filter makes smaller. */
enum code_machine {
	CODE_NONE,
	CODE_X86,
	CODE_POWERPC, /* big endian */
	CODE_IA64,
	CODE_ARM,
	CODE_ARMTHUMB,
	CODE_SPARC,
	CODE_ARM64,
	CODE_RISCV,
	CODE_MACHINE_COUNT
};

/* Bytes from the beginning of a file that tell of all of it. */
#define CODE_HEAD_LEN 1024

/* The machine code in a part of a file. All zero is none. */
struct code {
	enum code_machine machine;
	uint32_t len; /* bytes of it */
};

/*
 * Finds the machine code in a part of a file by what the file begins with: the
 * header of a program or library in ELF, or of one in PE. What is yet to be
 * linked, kernel modules too, counts as none.
 *
 * head, head_len  the file's first bytes: CODE_HEAD_LEN, or all there are
 * offset          of the part in the file
 * data, len       the part
 * format          doc/codecs.md, "Machine code"
 */
struct code code_find(const uint8_t *head, size_t head_len, uint64_t offset,
		      const uint8_t *data, uint32_t len);

#endif
