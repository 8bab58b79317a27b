/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMON_JSON_H
#define COMMON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * JSON as it is printed, one value after the other. Failures of the output show
 * in out, as with fprintf.
 */
#define JSON_DEPTH_MAX 8

struct json {
	FILE *out;
	unsigned depth;
	bool has_items[JSON_DEPTH_MAX]; /* of the levels that are open */
	char ends[JSON_DEPTH_MAX];
};

void json_init(struct json *json, FILE *out);

/*
 * Opens an object or an array; key is NULL where the value stands in an array
 * or is the whole. Items of an array each begin a line.
 */
void json_object(struct json *json, const char *key);
void json_array(struct json *json, const char *key);
void json_end(struct json *json);

void json_number(struct json *json, const char *key, uint64_t value);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

/* Text of this program, or other UTF-8. */
void json_text(struct json *json, const char *key, const char *text);

/*
 * Any bytes, as the member key of an object. What is no UTF-8 becomes U+FFFD,
 * and a member key_base64 then has the bytes themselves.
 */
void json_bytes(struct json *json, const char *key, const void *data,
		size_t len);

/* Bytes of the UTF-8 character that begins here; 0 if there is none. */
size_t utf8_len(const uint8_t *p, size_t len);

#endif
