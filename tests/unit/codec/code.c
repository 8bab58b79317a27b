/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "codec/code.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define PART 4096

static const uint8_t part[PART];

static void put(uint8_t *p, bool is_big, unsigned len, uint64_t value)
{
	for (unsigned i = 0; i < len; i++)
		p[is_big ? len - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

/* A program header: len bytes at offset, which may be executed or not. */
static void put_segment(uint8_t *head, bool is_wide, bool is_big, size_t index,
			unsigned flags, uint64_t offset, uint64_t len)
{
	const unsigned wide = is_wide ? 8 : 4;
	uint8_t *p = head + (is_wide ? 64 + 56 * index : 52 + 32 * index);

	put(p, is_big, 4, 1);
	put(p + (is_wide ? 4 : 24), is_big, 4, flags);
	put(p + (is_wide ? 8 : 4), is_big, wide, offset);
	put(p + (is_wide ? 32 : 16), is_big, wide, len);
	put(head + (is_wide ? 56 : 44), is_big, 2, index + 1);
}

/* An ELF header with data, then code from 10000 to 30000, then data. */
static void put_elf(uint8_t head[CODE_HEAD_LEN], bool is_wide, bool is_big,
		    unsigned type, unsigned machine)
{
	memset(head, 0, CODE_HEAD_LEN);
	memcpy(head, "\177ELF", 4);
	head[4] = is_wide ? 2 : 1;
	head[5] = is_big ? 2 : 1;
	put(head + 16, is_big, 2, type);
	put(head + 18, is_big, 2, machine);
	put(head + (is_wide ? 32 : 28), is_big, is_wide ? 8 : 4,
	    is_wide ? 64 : 52);
	put(head + (is_wide ? 54 : 42), is_big, 2, is_wide ? 56 : 32);
	put_segment(head, is_wide, is_big, 0, 4, 0, 10000);
	put_segment(head, is_wide, is_big, 1, 5, 10000, 20000);
	put_segment(head, is_wide, is_big, 2, 6, 30000, 10000);
}

static struct code find(const uint8_t head[CODE_HEAD_LEN], uint64_t offset)
{
	return code_find(head, CODE_HEAD_LEN, offset, part, PART);
}

static void test_machines(void)
{
	static const struct {
		bool is_wide, is_big;
		unsigned number;
		enum code_machine machine;
	} elves[] = {
		{ false, false, 3, CODE_X86 },	  { true, false, 62, CODE_X86 },
		{ false, false, 62, CODE_X86 },
		{ false, true, 20, CODE_POWERPC },
		{ true, true, 21, CODE_POWERPC }, { true, false, 21, CODE_NONE },
		{ true, false, 50, CODE_IA64 },	  { false, false, 40, CODE_ARM },
		{ false, true, 40, CODE_NONE },	  { false, true, 2, CODE_SPARC },
		{ false, true, 18, CODE_SPARC },  { true, true, 43, CODE_SPARC },
		{ true, false, 183, CODE_ARM64 }, { true, true, 183, CODE_NONE },
		{ true, false, 243, CODE_RISCV }, { false, false, 243, CODE_RISCV },
		{ true, false, 8, CODE_NONE },	  { true, false, 22, CODE_NONE },
	};
	uint8_t head[CODE_HEAD_LEN];

	for (size_t i = 0; i < sizeof(elves) / sizeof(elves[0]); i++) {
		for (unsigned type = 0; type < 5; type++) {
			struct code code;
			bool is_linked = type == 2 || type == 3;

			put_elf(head, elves[i].is_wide, elves[i].is_big, type,
				elves[i].number);
			code = find(head, 12000);
			check_u64(code.machine,
				  is_linked ? elves[i].machine : CODE_NONE);
			check_u64(code.len, code.machine ? PART : 0);
		}
	}
}

static void test_places(void)
{
	uint8_t head[CODE_HEAD_LEN];

	put_elf(head, true, false, 3, 62);
	check_u64(find(head, 0).machine, CODE_NONE);
	check_u64(find(head, 0).len, 0);
	check_u64(find(head, 10000 - PART).machine, CODE_NONE);
	check_u64(find(head, 10001 - PART).len, 1);
	check_u64(find(head, 8192).len, 8192 + PART - 10000);
	check_u64(find(head, 10000).len, PART);
	check_u64(find(head, 29000).len, 1000);
	check_u64(find(head, 30000).machine, CODE_NONE);
	check_u64(find(head, UINT64_MAX - PART).machine, CODE_NONE);

	/* Two pieces of code add up; lies about them are not believed. */
	put_segment(head, true, false, 3, 1, 8192, 100);
	check_u64(find(head, 8192).len, 8192 + PART - 10000 + 100);
	put_segment(head, true, false, 3, 1, 0, UINT64_MAX);
	check_u64(find(head, 0).len, PART);
	check_u64(find(head, 10000).len, PART);
	put_segment(head, true, false, 3, 1, 5, UINT64_MAX);
	check_u64(find(head, 0).len, 0);
	put_segment(head, true, false, 3, 7, UINT64_MAX - 10, 10);
	check_u64(find(head, 0).len, 0);

	/* What is not loaded is no code. */
	put(head + 64 + 56, false, 4, 2);
	check_u64(find(head, 12000).machine, CODE_NONE);
}

/* Headers that lie behind the head, or nowhere, are not followed. */
static void test_lies(void)
{
	uint8_t head[CODE_HEAD_LEN];

	for (unsigned wide = 0; wide < 2; wide++) {
		put_elf(head, wide, false, 2, 3);
		check_u64(find(head, 12000).len, PART);
		put(head + (wide ? 32 : 28), false, wide ? 8 : 4, UINT64_MAX);
		check_u64(find(head, 12000).len, 0);
		put(head + (wide ? 32 : 28), false, wide ? 8 : 4,
		    CODE_HEAD_LEN - 10);
		check_u64(find(head, 12000).len, 0);
		put_elf(head, wide, false, 2, 3);
		put(head + (wide ? 54 : 42), false, 2, 1);
		check_u64(find(head, 12000).len, 0);
		put(head + (wide ? 54 : 42), false, 2, 65535);
		put(head + (wide ? 56 : 44), false, 2, 65535);
		check_u64(find(head, 12000).len, 0);
		put_elf(head, wide, false, 2, 3);
		put(head + (wide ? 56 : 44), false, 2, 65535);
		check_u64(find(head, 12000).len, PART);
	}
	memset(head, 0xff, sizeof(head));
	check_u64(find(head, 0).machine, CODE_NONE);
	memcpy(head, "\177ELF", 4);
	check_u64(find(head, 0).machine, CODE_NONE);
}

static void put_pe(uint8_t head[CODE_HEAD_LEN], size_t at, unsigned machine)
{
	memset(head, 0, CODE_HEAD_LEN);
	memcpy(head, "MZ", 2);
	put(head + 60, false, 4, at);
	memcpy(head + at, "PE\0\0", 4);
	put(head + at + 4, false, 2, machine);
	put(head + at + 6, false, 2, 2);
	put(head + at + 20, false, 2, 240);
	for (unsigned i = 0; i < 2; i++) {
		uint8_t *p = head + at + 24 + 240 + 40 * i;

		put(p + 16, false, 4, 20000);
		put(p + 20, false, 4, 10000 + 20000 * i);
		put(p + 36, false, 4, i == 0 ? 0x60000020 : 0x40000040);
	}
}

static void test_pe(void)
{
	static const struct {
		unsigned number;
		enum code_machine machine;
	} machines[] = {
		{ 0x14c, CODE_X86 },   { 0x8664, CODE_X86 },
		{ 0x200, CODE_IA64 },  { 0x1c4, CODE_ARM },
		{ 0xaa64, CODE_ARM64 }, { 0x5064, CODE_RISCV },
		{ 0x1f0, CODE_NONE },
	};
	uint8_t head[CODE_HEAD_LEN];

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		put_pe(head, 128, machines[i].number);
		check_u64(find(head, 12000).machine, machines[i].machine);
		check_u64(find(head, 0).len, 0);
		check_u64(find(head, 30000).len, 0);
	}
	for (size_t at = CODE_HEAD_LEN - 23; at < CODE_HEAD_LEN + 10; at++) {
		put_pe(head, 128, 0x14c);
		put(head + 60, false, 4, at);
		check_u64(find(head, 12000).len, 0);
	}
	put(head + 60, false, 4, UINT32_MAX);
	check_u64(find(head, 12000).len, 0);
}

static void test_arm(void)
{
	static const uint8_t arm[8] = { 1, 2, 3, 0xeb, 5, 6, 7, 0xeb };
	static const uint8_t thumb[8] = { 0, 0, 1, 0xf0, 2, 0xf8, 3, 0xf1 };
	uint8_t head[CODE_HEAD_LEN];

	put_elf(head, false, false, 2, 40);
	check_u64(code_find(head, CODE_HEAD_LEN, 12000, arm, 8).machine,
		  CODE_ARM);
	check_u64(code_find(head, CODE_HEAD_LEN, 12000, thumb, 8).machine,
		  CODE_ARMTHUMB);
	for (uint32_t len = 0; len < 8; len++)
		check_u64(code_find(head, CODE_HEAD_LEN, 12000, thumb, len).len,
			  len);
}

/* A head that is cut short holds code, or none, and nothing is read past it. */
static void test_cut(void)
{
	uint8_t head[CODE_HEAD_LEN];

	for (unsigned kind = 0; kind < 3; kind++) {
		if (kind < 2)
			put_elf(head, kind, false, 2, 3);
		else
			put_pe(head, 128, 0x14c);
		for (size_t len = 0; len <= CODE_HEAD_LEN; len++) {
			uint8_t *cut = malloc(len ? len : 1);
			struct code code;

			memcpy(cut, head, len);
			code = code_find(cut, len, 12000, part, PART);
			if (len < 100)
				check_u64(code.machine, CODE_NONE);
			if (len > 600)
				check_u64(code.len, PART);
			check(code.len <= PART);
			free(cut);
		}
	}
}

int main(void)
{
	test_machines();
	test_places();
	test_lies();
	test_pe();
	test_arm();
	test_cut();
	return check_report();
}
