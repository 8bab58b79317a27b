/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/num.h"

#include "check.h"

static const uint64_t edges[] = { 0,
				  1,
				  2,
				  3,
				  255,
				  65536,
				  UINT32_MAX,
				  (uint64_t)UINT32_MAX + 1,
				  (uint64_t)UINT32_MAX + 2,
				  INT64_MAX,
				  (uint64_t)INT64_MAX + 1,
				  UINT64_MAX / 3,
				  UINT64_MAX / 3 + 1,
				  UINT64_MAX - 1,
				  UINT64_MAX };

#define EDGE_COUNT (sizeof(edges) / sizeof(edges[0]))

/* Sum and product by halves, so that nothing can overflow on the way. */
static bool fits_sum(uint64_t a, uint64_t b)
{
	uint64_t low = (a & 1) + (b & 1);

	return (a >> 1) + (b >> 1) + (low >> 1) <= UINT64_MAX >> 1;
}

static bool fits_product(uint64_t a, uint64_t b)
{
	uint64_t a1 = a >> 32, a0 = a & UINT32_MAX;
	uint64_t b1 = b >> 32, b0 = b & UINT32_MAX;
	uint64_t mid;

	if (a1 && b1)
		return false;
	mid = a1 * b0 + a0 * b1; /* one of them is 0 */
	return mid <= UINT32_MAX && fits_sum(mid << 32, a0 * b0);
}

static void test_checked(void)
{
	for (size_t i = 0; i < EDGE_COUNT; i++) {
		for (size_t k = 0; k < EDGE_COUNT; k++) {
			uint64_t a = edges[i], b = edges[k], out = 42;
			bool fits = fits_sum(a, b);

			check(add_u64(a, b, &out) == fits);
			check_u64(out, fits ? a + b : 42);
			out = 42;
			fits = fits_product(a, b);
			check(mul_u64(a, b, &out) == fits);
			check_u64(out, fits ? a * b : 42);
		}
	}
}

static void test_sizes(void)
{
	size_t out = 42;

	check(add_size(SIZE_MAX - 5, 5, &out) && out == SIZE_MAX);
	check(!add_size(SIZE_MAX - 5, 6, &out) && out == SIZE_MAX);
	check(!add_size(SIZE_MAX, SIZE_MAX, &out));
	check(mul_size(SIZE_MAX / 2, 2, &out) && out == SIZE_MAX - 1);
	check(!mul_size(SIZE_MAX / 2 + 1, 2, &out) && out == SIZE_MAX - 1);
	check(mul_size(SIZE_MAX, 0, &out) && out == 0);
	check(mul_size(0, SIZE_MAX, &out) && out == 0);
	check(mul_size(1, SIZE_MAX, &out) && out == SIZE_MAX);
}

/* At every alignment, and not a byte beside. */
static void test_bytes(void)
{
	static const uint8_t want[] = { 0x88, 0x97, 0xa6, 0xb5,
					0xc4, 0xd3, 0xe2, 0xf1 };
	const uint64_t value = 0xf1e2d3c4b5a69788;
	uint8_t raw[32], clean[32];

	memset(clean, 0x5a, sizeof(clean));
	for (size_t at = 1; at < 16; at++) {
		memset(raw, 0x5a, sizeof(raw));
		put_le64(raw + at, value);
		check_mem(raw + at, want, 8);
		check_mem(raw, clean, at);
		check_mem(raw + at + 8, clean, 32 - 8 - at);
		check_u64(get_le64(raw + at), value);
		check_u64(get_le32(raw + at), 0xb5a69788);
		check_u64(get_le32(raw + at + 4), 0xf1e2d3c4);
		check_u64(get_le16(raw + at + 6), 0xf1e2);

		memset(raw, 0x5a, sizeof(raw));
		put_le32(raw + at, 0xb5a69788);
		check_mem(raw + at, want, 4);
		check_mem(raw + at + 4, clean, 32 - 4 - at);
		put_le16(raw + at, 0xd3c4);
		check_mem(raw + at, want + 4, 2);
		check_mem(raw + at + 2, want + 2, 2);
	}
	for (size_t i = 0; i < EDGE_COUNT; i++) {
		put_le64(raw, edges[i]);
		check_u64(get_le64(raw), edges[i]);
		put_le32(raw, (uint32_t)edges[i]);
		check_u64(get_le32(raw), (uint32_t)edges[i]);
		put_le16(raw, (uint16_t)edges[i]);
		check_u64(get_le16(raw), (uint16_t)edges[i]);
	}
}

int main(void)
{
	test_checked();
	test_sizes();
	test_bytes();
	return check_report();
}
