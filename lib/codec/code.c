/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/code.h"

/*
 * Where machine code lies in a file, and for what machine, by the file's
 * header. Nothing here can fail: what is damaged holds no code, or less than it
 * does. Format: doc/codecs.md, "Machine code".
 */
#include <stdbool.h>
#include <string.h>

#include "util/num.h"

/* The header of a file, and the part of it that is asked about. */
struct look {
	const uint8_t *head;
	size_t head_len;
	bool is_big; /* endian */
	uint64_t begin, end;
	uint64_t found; /* bytes of code in the part so far */
};

static unsigned get16(const struct look *look, size_t at)
{
	const uint8_t *p = look->head + at;

	return look->is_big ? (unsigned)(p[0] << 8 | p[1]) : get_le16(p);
}

static uint32_t get32(const struct look *look, size_t at)
{
	if (look->is_big)
		return (uint32_t)get16(look, at) << 16 | get16(look, at + 2);
	return get_le32(look->head + at);
}

/* A number of 8 bytes, or of 4. */
static uint64_t get_wide(const struct look *look, size_t at, bool is_wide)
{
	if (!is_wide)
		return get32(look, at);
	if (look->is_big)
		return (uint64_t)get32(look, at) << 32 | get32(look, at + 4);
	return get_le64(look->head + at);
}

/* Adds what the part has of len bytes of code at offset. */
static void add_code(struct look *look, uint64_t offset, uint64_t len)
{
	uint64_t end;

	if (!add_u64(offset, len, &end))
		return;
	if (offset < look->begin)
		offset = look->begin;
	if (end > look->end)
		end = look->end;
	if (offset < end)
		look->found += end - offset;
}

static enum code_machine elf_machine(const struct look *look)
{
	static const struct {
		unsigned number;
		bool is_big;
		enum code_machine machine;
	} machines[] = {
		{ 3, false, CODE_X86 },	   { 62, false, CODE_X86 },
		{ 2, true, CODE_SPARC },   { 18, true, CODE_SPARC },
		{ 43, true, CODE_SPARC },  { 20, true, CODE_POWERPC },
		{ 21, true, CODE_POWERPC }, { 40, false, CODE_ARM },
		{ 50, false, CODE_IA64 },  { 183, false, CODE_ARM64 },
		{ 243, false, CODE_RISCV },
	};
	const unsigned number = get16(look, 18);

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].number == number &&
		    machines[i].is_big == look->is_big)
			return machines[i].machine;
	return CODE_NONE;
}

/* Segments that are loaded and may be executed. */
static enum code_machine look_elf(struct look *look)
{
	static const uint8_t magic[4] = { 0x7f, 'E', 'L', 'F' };
	enum { EXECUTABLE = 2, SHARED = 3, LOAD = 1, MAY_EXECUTE = 1 };
	const uint8_t *head = look->head;
	const bool is_wide = look->head_len > 4 && head[4] == 2;
	const size_t header = is_wide ? 64 : 52;
	const size_t segment = is_wide ? 56 : 32;

	if (look->head_len < header || memcmp(head, magic, 4) != 0 ||
	    (!is_wide && head[4] != 1))
		return CODE_NONE;
	look->is_big = head[5] == 2;

	const unsigned type = get16(look, 16);
	const uint64_t at = get_wide(look, is_wide ? 32 : 28, is_wide);
	const size_t stride = get16(look, is_wide ? 54 : 42);
	const size_t count = get16(look, is_wide ? 56 : 44);

	if ((type != EXECUTABLE && type != SHARED) || stride < segment ||
	    at > look->head_len)
		return CODE_NONE;
	for (size_t i = 0; i < count; i++) {
		size_t p = (size_t)at + i * stride;

		if (p + segment > look->head_len)
			break;
		if (get32(look, p) == LOAD &&
		    get32(look, p + (is_wide ? 4 : 24)) & MAY_EXECUTE)
			add_code(look,
				 get_wide(look, p + (is_wide ? 8 : 4), is_wide),
				 get_wide(look, p + (is_wide ? 32 : 16),
					  is_wide));
	}
	return elf_machine(look);
}

static enum code_machine pe_machine(const struct look *look, size_t at)
{
	switch (get16(look, at + 4)) {
	case 0x014c:
	case 0x8664:
		return CODE_X86;
	case 0x0200:
		return CODE_IA64;
	case 0x01c0:
	case 0x01c2:
	case 0x01c4:
		return CODE_ARM;
	case 0xaa64:
		return CODE_ARM64;
	case 0x5032:
	case 0x5064:
		return CODE_RISCV;
	default:
		return CODE_NONE;
	}
}

/* Sections that may be executed. */
static enum code_machine look_pe(struct look *look)
{
	static const uint8_t magic[4] = { 'P', 'E', 0, 0 };
	const size_t header = 24, section = 40;
	const uint32_t may_execute = UINT32_C(1) << 29;

	look->is_big = false;
	if (look->head_len < 64 || memcmp(look->head, "MZ", 2) != 0)
		return CODE_NONE;

	const size_t at = get32(look, 60);

	if (at > look->head_len || look->head_len - at < header ||
	    memcmp(look->head + at, magic, 4) != 0)
		return CODE_NONE;

	const size_t count = get16(look, at + 6);
	const size_t first = at + header + get16(look, at + 20);

	for (size_t i = 0; i < count; i++) {
		size_t p = first + i * section;

		if (p + section > look->head_len)
			break;
		if (get32(look, p + 36) & may_execute)
			add_code(look, get32(look, p + 20),
				 get32(look, p + 16));
	}
	return pe_machine(look, at);
}

/*
 * Both sets of instructions are one machine to the header: the one whose calls
 * are more is it.
 */
static enum code_machine tell_arm(const uint8_t *data, size_t len)
{
	size_t arm = 0, thumb = 0;

	for (size_t i = 0; i + 4 <= len; i += 2) {
		arm += i % 4 == 0 && data[i + 3] == 0xeb;
		thumb += (data[i + 1] & 0xf8) == 0xf0 &&
			 (data[i + 3] & 0xf8) == 0xf8;
	}
	return thumb > arm ? CODE_ARMTHUMB : CODE_ARM;
}

struct code code_find(const uint8_t *head, size_t head_len, uint64_t offset,
		      const uint8_t *data, uint32_t len)
{
	struct look look = { .head = head,
			     .head_len = head_len,
			     .begin = offset,
			     .end = offset + len };
	enum code_machine machine = look_elf(&look);

	if (machine == CODE_NONE) {
		look.found = 0;
		machine = look_pe(&look);
	}
	if (machine == CODE_NONE || look.found == 0)
		return (struct code){ .machine = CODE_NONE };
	if (machine == CODE_ARM)
		machine = tell_arm(data, len);
	/* Segments that lie over each other count once. */
	return (struct code){ machine, look.found < len ? (uint32_t)look.found
							: len };
}
