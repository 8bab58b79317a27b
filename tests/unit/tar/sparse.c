/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Sparse files in the four forms there are. */
#include "config.h"

#include "writer.h"

struct segment {
	uint64_t offset, len;
};

/* A field of 12 bytes, binary where octal does not hold it. */
static void set_number(uint8_t *at, uint64_t value)
{
	if (value < UINT64_C(1) << 33) {
		set_octal(at, 12, value);
		return;
	}
	memset(at, 0, 12);
	at[0] = 0x80;
	for (int i = 0; i < 8; i++)
		at[11 - i] = (uint8_t)(value >> 8 * i);
}

static uint64_t data_len(const struct segment *s, size_t count)
{
	uint64_t len = 0;

	for (size_t i = 0; i < count; i++)
		len += s[i].len;
	return len;
}

/* len bytes of content that differ from place to place. */
static void put_data(struct buffer *tar, uint64_t len)
{
	for (uint64_t i = 0; i < len; i++)
		put(tar, &(uint8_t) { (uint8_t)(i % 251 + 1) }, 1);
	put_pad(tar);
}

/* The old form; size is what the header says of the data. */
static void put_old(struct buffer *tar, uint64_t real, const struct segment *s,
		    size_t count, uint64_t size, uint8_t more)
{
	uint8_t area[109] = { 0 };
	size_t done = 0;

	for (; done < count && done < 4; done++) {
		set_number(area + 24 * done, s[done].offset);
		set_number(area + 24 * done + 12, s[done].len);
	}
	area[96] = done < count ? more : 0;
	set_number(area + 97, real);
	put_patched(
		tar,
		(struct head) {
			.name = "s", .type = 'S', .magic = GNU, .size = size },
		386, area, sizeof(area));
	while (done < count) {
		uint8_t block[512] = { 0 };

		for (size_t i = 0; done < count && i < 21; i++, done++) {
			set_number(block + 24 * i, s[done].offset);
			set_number(block + 24 * i + 12, s[done].len);
		}
		block[504] = done < count ? more : 0;
		put(tar, block, sizeof(block));
	}
}

static void put_number(struct buffer *body, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	put_record(body, key, text, strlen(text));
}

static void put_00(struct buffer *tar, uint64_t real, const struct segment *s,
		   size_t count, uint64_t size)
{
	struct buffer body = { 0 };

	put_number(&body, "GNU.sparse.size", real);
	put_number(&body, "GNU.sparse.numblocks", count);
	for (size_t i = 0; i < count; i++) {
		put_number(&body, "GNU.sparse.offset", s[i].offset);
		put_number(&body, "GNU.sparse.numbytes", s[i].len);
	}
	put_pax_body(tar, 'x', body.data, body.len);
	put_head(tar, (struct head) { .name = "s", .size = size });
	buffer_cleanup(&body);
}

static void put_01(struct buffer *tar, uint64_t real, const struct segment *s,
		   size_t count, uint64_t size)
{
	struct buffer body = { 0 }, map = { 0 };
	char text[64];

	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%s%" PRIu64 ",%" PRIu64,
			 i ? "," : "", s[i].offset, s[i].len);
		put(&map, text, strlen(text));
	}
	put_record(&body, "GNU.sparse.map", map.data, map.len);
	put_number(&body, "GNU.sparse.numblocks", count);
	put_number(&body, "GNU.sparse.size", real);
	put_record(&body, "GNU.sparse.name", "s", 1);
	put_pax_body(tar, 'x', body.data, body.len);
	put_head(tar,
		 (struct head) { .name = "GNUSparseFile.1/s", .size = size });
	buffer_cleanup(&body);
	buffer_cleanup(&map);
}

static void put_10_raw(struct buffer *tar, uint64_t real, const char *map,
		       size_t map_len, uint64_t size)
{
	struct buffer body = { 0 };

	put_number(&body, "GNU.sparse.realsize", real);
	put_number(&body, "GNU.sparse.major", 1);
	put_record(&body, "GNU.sparse.name", "s", 1);
	put_number(&body, "GNU.sparse.minor", 0);
	put_pax_body(tar, 'x', body.data, body.len);
	put_head(tar,
		 (struct head) { .name = "GNUSparseFile.1/s",
				 .size = size + (map_len + 511) / 512 * 512 });
	put(tar, map, map_len);
	put_pad(tar);
	buffer_cleanup(&body);
}

static void put_10(struct buffer *tar, uint64_t real, const struct segment *s,
		   size_t count, uint64_t size)
{
	struct buffer map = { 0 };
	char text[64];

	snprintf(text, sizeof(text), "%zu\n", count);
	put(&map, text, strlen(text));
	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%" PRIu64 "\n%" PRIu64 "\n",
			 s[i].offset, s[i].len);
		put(&map, text, strlen(text));
	}
	put_10_raw(tar, real, (const char *)map.data, map.len, size);
	buffer_cleanup(&map);
}

#define FORMS 4

static void put_form(struct buffer *tar, int form, uint64_t real,
		     const struct segment *s, size_t count, uint64_t size)
{
	switch (form) {
	case 0:
		put_old(tar, real, s, count, size, '0');
		break;
	case 1:
		put_00(tar, real, s, count, size);
		break;
	case 2:
		put_01(tar, real, s, count, size);
		break;
	default:
		put_10(tar, real, s, count, size);
	}
}

/* The content must be the data of put_data, spread over the segments. */
static void check_content(const struct result *r, const struct segment *s,
			  size_t count)
{
	const struct buffer *c = &r->contents[0];
	uint64_t wrong = 0, at = 0, n = 0;

	for (size_t i = 0; i < count; i++) {
		for (; at < s[i].offset; at++)
			wrong += c->data[at] != 0;
		for (; at < s[i].offset + s[i].len; at++, n++)
			wrong += c->data[at] != n % 251 + 1;
	}
	for (; at < c->len; at++)
		wrong += c->data[at] != 0;
	check_u64(wrong, 0);
}

static void round_trip(uint64_t real, const struct segment *s, size_t count)
{
	struct buffer tar = { 0 };
	struct result r;

	for (int form = 0; form < FORMS; form++) {
		put_form(&tar, form, real, s, count, data_len(s, count));
		put_data(&tar, data_len(s, count));
		put_file(&tar, "after", "x");
		accept_tar(&tar, &r);
		check_u64(r.count, 2);
		check_str(entry_at(&r, 0)->path, "s");
		check(entry_at(&r, 0)->type == ENTRY_FILE);
		check_u64(entry_at(&r, 0)->size, real);
		if (real <= CONTENT_MAX && real > 0)
			check_content(&r, s, count);
		check(content_is(&r, 1, "x"));
		check_str(r.told, "");
		result_cleanup(&r);
	}
}

static void test_maps(void)
{
	static const struct segment begin[] = { { 0, 4096 }, { 20000, 0 } };
	static const struct segment odd[] = {
		{ 1, 700 }, { 1000, 1 }, { 1001, 511 }, { 9999, 1 }
	};
	static const struct segment all[] = { { 0, 1000 } };
	static const struct segment end[] = { { 100000, 0 } };
	struct segment many[2000];

	round_trip(20000, begin, 2);
	round_trip(20000, begin, 1);
	round_trip(10000, odd, 4);
	round_trip(1000, all, 1);
	round_trip(100000, end, 1);
	round_trip(1 << 20, NULL, 0);
	round_trip(0, NULL, 0);

	/* As many as fill the header and extension blocks, and one more. */
	for (size_t i = 0; i < 2000; i++)
		many[i] = (struct segment) { 500 * i, i % 3 + 1 };
	round_trip(1000000, many, 4);
	round_trip(1000000, many, 5);
	round_trip(1000000, many, 25);
	round_trip(1000000, many, 26);
	round_trip(1000000, many, 46);
	/* Numbers of the map in front of the data cross blocks. */
	round_trip(1000000, many, 2000);
}

static void test_touching_segments_are_one_extent(void)
{
	static const struct segment s[] = { { 0, 512 }, { 512, 512 } };
	struct buffer tar = { 0 };
	struct result r;

	put_01(&tar, 1024, s, 2, 1024);
	put_data(&tar, 1024);
	accept_tar(&tar, &r);
	check_u64(entry_at(&r, 0)->extent_count, 1);
	check_u64(entry_at(&r, 0)->extents[0].len, 1024);
	result_cleanup(&r);
}

static void test_huge_holes_cost_nothing(void)
{
	const uint64_t tib = UINT64_C(1) << 40;
	const struct segment s[] = { { tib, 3 }, { 5 * tib, 2 } };
	struct buffer tar = { 0 };
	struct result r;

	for (int form = 0; form < FORMS; form++) {
		put_form(&tar, form, INT64_MAX, s, 2, 5);
		put_data(&tar, 5);
		accept_tar(&tar, &r);
		check_u64(entry_at(&r, 0)->size, INT64_MAX);
		check_u64(entry_at(&r, 0)->extent_count, 2);
		check_u64(entry_at(&r, 0)->extents[1].offset, 5 * tib);
		check_u64(entry_at(&r, 0)->extents[1].at,
			  entry_at(&r, 0)->extents[0].at + 3);
		result_cleanup(&r);
	}
}

static void test_bad_maps(void)
{
	static const struct {
		struct segment s[2];
		uint64_t real, size;
		const char *want;
	} cases[] = {
		{ { { 5000, 1 }, { 0, 1 } }, 10000, 2, "begins before" },
		{ { { 0, 512 }, { 511, 1 } }, 10000, 513, "begins before" },
		{ { { 0, 512 }, { 10000, 1 } }, 10000, 513, "past the file" },
		{ { { 0, 512 }, { 10001, 0 } }, 10000, 512, "past the file" },
		{ { { 0, 512 }, { INT64_MAX, INT64_MAX } },
		  INT64_MAX,
		  512,
		  "past the file" },
		{ { { 0, 512 }, { 512, 511 } },
		  10000,
		  1024,
		  "segments have 1023 bytes" },
		{ { { 0, 512 }, { 512, 513 } },
		  10000,
		  1024,
		  "segments have 1025 bytes" },
	};
	struct buffer tar = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int form = 0; form < FORMS; form++) {
			put_form(&tar, form, cases[i].real, cases[i].s, 2,
				 cases[i].size);
			put_data(&tar, cases[i].size);
			refuse_tar(&tar, ERR_CORRUPT, cases[i].want);
		}
}

static void test_bad_text_maps(void)
{
	static const char *const maps[] = {
		"",
		"1\n0\n",
		"2\n0\n1\n",
		"x\n0\n512\n",
		"1\n-1\n512\n",
		"1\n\n512\n",
		"1\n0 \n512\n",
		"1\n18446744073709551616\n512\n",
		"1\n9223372036854775808\n0\n",
	};
	struct buffer tar = { 0 };

	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
		put_10_raw(&tar, 512, maps[i], strlen(maps[i]), 512);
		put_data(&tar, 512);
		refuse_tar(&tar, ERR_CORRUPT, "entry \"s\"");
	}
	put_10_raw(&tar, 512, "1152921504606846976\n", 20, 512);
	put_data(&tar, 512);
	refuse_tar(&tar, ERR_LIMIT, "16777216");

	/* The map runs into the data, all of it digits. */
	put_10_raw(&tar, 512, "300\n", 4, 0);
	refuse_tar(&tar, ERR_CORRUPT, "no digit");
	put_pax(&tar, "comment", "x");
	refuse_tar(&tar, ERR_CORRUPT, "without an entry");
}

static void test_long_text_map_must_fit(void)
{
	struct buffer tar = { 0 };
	char digits[512];

	memset(digits, '0', sizeof(digits));
	put_10_raw(&tar, 512, digits, sizeof(digits), 0);
	refuse_tar(&tar, ERR_CORRUPT, "too large");
	for (size_t i = 1; i < sizeof(digits); i += 2)
		digits[i] = '\n';
	digits[0] = digits[2] = '9';
	digits[1] = '9';
	put_10_raw(&tar, 512, digits, sizeof(digits), 0);
	refuse_tar(&tar, ERR_CORRUPT, "longer than the data");
}

static void test_bad_records(void)
{
	static const struct {
		const char *key, *value, *want;
		enum err_code code;
	} cases[] = {
		{ "GNU.sparse.map", "0,1,2", "odd count", ERR_CORRUPT },
		{ "GNU.sparse.map", "0", "odd count", ERR_CORRUPT },
		{ "GNU.sparse.map", "0,1,", "comma", ERR_CORRUPT },
		{ "GNU.sparse.map", "0,,1,2", "bad number", ERR_CORRUPT },
		{ "GNU.sparse.map", "0,-1", "bad number", ERR_CORRUPT },
		{ "GNU.sparse.map", " 0,1", "bad number", ERR_CORRUPT },
		{ "GNU.sparse.map", "9223372036854775808,1", "past",
		  ERR_LIMIT },
		{ "GNU.sparse.name", "n", "without a map", ERR_CORRUPT },
		{ "GNU.sparse.numblocks", "1", "0 segments", ERR_CORRUPT },
		{ "GNU.sparse.numblocks", "x", "bad number", ERR_CORRUPT },
		{ "GNU.sparse.offset", "0", "no GNU.sparse.numbytes",
		  ERR_CORRUPT },
		{ "GNU.sparse.numbytes", "0", "out of turn", ERR_CORRUPT },
		{ "GNU.sparse.major", "1", "unknown version", ERR_UNSUPPORTED },
		{ "GNU.sparse.minor", "0", "unknown version", ERR_UNSUPPORTED },
	};
	struct buffer tar = { 0 }, body = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		body.len = 0;
		put_number(&body, "GNU.sparse.size", 512);
		put_record(&body, cases[i].key, cases[i].value,
			   strlen(cases[i].value));
		put_pax_body(&tar, 'x', body.data, body.len);
		put_file(&tar, "f", "x");
		refuse_tar(&tar, cases[i].code, cases[i].want);
	}
	buffer_cleanup(&body);

	put_pax(&tar, "GNU.sparse.map", "0,1");
	put_file(&tar, "f", "x");
	refuse_tar(&tar, ERR_CORRUPT, "without its real size");
	put_pax(&tar, "GNU.sparse.size", "5");
	put_head(&tar, (struct head) { .name = "d", .type = '5' });
	refuse_tar(&tar, ERR_CORRUPT, "sparse records for a directory");
}

static void test_versions(void)
{
	static const struct {
		uint64_t major, minor;
	} unknown[] = { { 2, 0 }, { 1, 1 }, { 0, 2 } };
	struct buffer tar = { 0 }, body = { 0 };
	struct result r;

	for (size_t i = 0; i < 3; i++) {
		body.len = 0;
		put_number(&body, "GNU.sparse.major", unknown[i].major);
		put_number(&body, "GNU.sparse.minor", unknown[i].minor);
		put_number(&body, "GNU.sparse.realsize", 512);
		put_pax_body(&tar, 'x', body.data, body.len);
		put_file(&tar, "f", "1\n0\n1\n");
		refuse_tar(&tar, ERR_UNSUPPORTED, "unknown version");
	}
	body.len = 0;
	put_number(&body, "GNU.sparse.major", 0);
	put_number(&body, "GNU.sparse.minor", 1);
	put_number(&body, "GNU.sparse.size", 3);
	put_record(&body, "GNU.sparse.map", "2,1", 3);
	put_pax_body(&tar, 'x', body.data, body.len);
	put_file(&tar, "f", "x");
	accept_tar(&tar, &r);
	check_u64(entry_at(&r, 0)->size, 3);
	check(r.contents[0].data[2] == 'x');
	result_cleanup(&r);
	buffer_cleanup(&body);
}

static void test_old_form_wants_gnu(void)
{
	struct buffer tar = { 0 };

	put_head(&tar, (struct head) { .name = "s", .type = 'S' });
	refuse_tar(&tar, ERR_UNSUPPORTED, "star");
	put_head(&tar, (struct head) { .name = "s", .type = 'S', .magic = V7 });
	refuse_tar(&tar, ERR_UNSUPPORTED, "star");
	put_pax(&tar, "SCHILY.realsize", "5");
	put_old(&tar, 5, NULL, 0, 0, 1);
	refuse_tar(&tar, ERR_UNSUPPORTED, "star");
	put_patched(&tar,
		    (struct head) { .name = "s", .type = 'S', .magic = GNU },
		    386,
		    "0000000000x\0"
		    "00000000001",
		    24);
	refuse_tar(&tar, ERR_CORRUPT, "sparse segment 0");
}

/* Wherever a sparse file is cut off, there is an error. */
static void test_cut_at_every_byte(void)
{
	struct segment s[30];

	for (size_t i = 0; i < 30; i++)
		s[i] = (struct segment) { 100 * i, 10 };
	for (int form = 0; form < FORMS; form++) {
		struct buffer tar = { 0 };
		size_t all, wrong = 0;
		struct result r;

		put_form(&tar, form, 3000, s, 30, 300);
		put_data(&tar, 300);
		all = tar.len;
		for (tar.len = 1; tar.len < all - 212; tar.len++) {
			read_tar(&tar, &r);
			wrong += r.ret != -1 || r.err.code != ERR_CORRUPT;
			result_cleanup(&r);
		}
		check_u64(wrong, 0);
		buffer_cleanup(&tar);
	}
}

int main(void)
{
	test_maps();
	test_touching_segments_are_one_extent();
	test_huge_holes_cost_nothing();
	test_bad_maps();
	test_bad_text_maps();
	test_long_text_map_must_fit();
	test_bad_records();
	test_versions();
	test_old_form_wants_gnu();
	test_cut_at_every_byte();
	return check_report();
}
