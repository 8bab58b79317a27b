/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "internal.h"

/*
 * How content gets into a file: where it belongs, by workers that need not know
 * of each other. What is not written is a hole.
 */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "entry/entry.h"
#include "flow/block.h"
#include "flow/flow.h"

/* Bytes that one call is asked to copy: what it is sure to take. */
#define COPY_MAX (UINT64_C(1) << 30)

/* A piece on its way. */
struct job_of {
	struct dir_sink *sink;
	struct worker *worker;
	unsigned index; /* the worker's */
	int fd;
	const struct block *b;
	const struct piece *piece;
};

static int write_failed(const struct job_of *j, struct err *err)
{
	return out_failed(j->piece->entry->path, err, "write");
}

static bool is_dense(const struct job_of *j)
{
	return j->sink->options.no_sparse ||
	       j->piece->entry->flags & ENTRY_NO_SPARSE;
}

static int write_all(const struct job_of *j, const uint8_t *data, uint64_t len,
		     uint64_t offset, struct err *err)
{
	while (len > 0) {
		ssize_t n = pwrite(j->fd, data, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = EIO;
		if (n <= 0)
			return write_failed(j, err);
		data += n;
		len -= (uint64_t)n;
		offset += (uint64_t)n;
	}
	return 0;
}

/* The file ends in a hole: no write has made it that long. */
static int set_end(const struct job_of *j, struct err *err)
{
	const uint64_t size = j->piece->entry->size;
	int ret;

	if (size > INT64_MAX)
		return err_set(err, ERR_LIMIT, "the size is %llu bytes",
			       (unsigned long long)size);
	do
		ret = ftruncate(j->fd, (off_t)size);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? write_failed(j, err) : 0;
}

/* Bytes of whole units that are all zero, or that are not, from data on. */
static uint32_t run_len(const uint8_t *data, uint32_t len, uint32_t unit,
			bool is_zero)
{
	uint32_t n = 0;

	while (len - n >= unit && mem_is_zero(data + n, unit) == is_zero)
		n += unit;
	/* What is left of the last unit is written. */
	if (!is_zero && len - n < unit)
		n = len;
	return n;
}

/* Writes what is not zero. */
static int write_sparse(const struct job_of *j, const uint8_t *data,
			uint32_t len, uint32_t unit, struct err *err)
{
	const uint64_t offset = j->piece->offset;
	bool is_zero = false;
	uint32_t at = 0;

	while (at < len) {
		uint32_t n = run_len(data + at, len - at, unit, false);

		if (write_all(j, data + at, n, offset + at, err) < 0)
			return -1;
		at += n;
		n = run_len(data + at, len - at, unit, true);
		is_zero = n > 0;
		j->worker->holes += n;
		at += n;
	}
	if (is_zero && j->piece->is_last)
		return set_end(j, err);
	return 0;
}

static int write_data(const struct job_of *j, struct err *err)
{
	const uint8_t *data = j->b->data + j->piece->at;
	const uint32_t len = (uint32_t)j->piece->len;
	uint32_t unit = j->sink->options.sparse;

	/* Parts of a larger unit are in other blocks. */
	if (unit > j->sink->sink.cut.block_size)
		unit = j->sink->sink.cut.block_size;
	if (unit == 0 || len < unit || is_dense(j))
		return write_all(j, data, len, j->piece->offset, err);
	return write_sparse(j, data, len, unit, err);
}

/* Zeros that take room: reserved where the file system can, else written. */
static int write_zeros(const struct job_of *j, struct err *err)
{
	uint8_t *zeros = *flow_spare(j->sink->flow, j->index);
	const uint32_t room = j->sink->sink.cut.block_size;
	uint64_t at = j->piece->offset, left = j->piece->len;

	if (at > INT64_MAX || left > INT64_MAX - at)
		return err_set(err, ERR_LIMIT, "the file is too long");
#ifdef __linux__
	int ret;

	do
		ret = fallocate(j->fd, 0, (off_t)at, (off_t)left);
	while (ret < 0 && errno == EINTR);
	if (ret == 0)
		return 0;
	if (errno != EOPNOTSUPP && errno != ENOSYS)
		return write_failed(j, err);
#endif
	memset(zeros, 0, room);
	while (left > 0) {
		uint64_t n = left < room ? left : room;

		if (write_all(j, zeros, n, at, err) < 0)
			return -1;
		at += n;
		left -= n;
	}
	return 0;
}

static int write_hole(const struct job_of *j, struct err *err)
{
	if (is_dense(j))
		return write_zeros(j, err);
	j->worker->holes += j->piece->len;
	return j->piece->is_last ? set_end(j, err) : 0;
}

/*
 * Has the kernel copy, as far as it does: whatever it does not like about the
 * two files is met again by those who read and write.
 */
static uint64_t copy_in_kernel(const struct job_of *j)
{
	uint64_t done = 0;

#ifdef __linux__
	loff_t from = (loff_t)j->piece->plain_at;
	loff_t to = (loff_t)j->piece->offset;

	while (done < j->piece->len) {
		uint64_t n = j->piece->len - done;
		ssize_t ret;

		if (n > COPY_MAX)
			n = COPY_MAX;
		ret = copy_file_range(j->piece->plain_fd, &from, j->fd, &to, n,
				      0);
		if (ret < 0 && errno == EINTR)
			continue;
		if (ret <= 0)
			break;
		done += (uint64_t)ret;
	}
#endif
	return done;
}

/* Bytes that lie in a file as they are. */
static int write_plain(const struct job_of *j, struct err *err)
{
	const struct piece *piece = j->piece;
	uint8_t *buffer = *flow_spare(j->sink->flow, j->index);
	uint64_t done = copy_in_kernel(j);

	while (done < piece->len) {
		uint64_t n = piece->len - done;
		ssize_t got;

		if (n > j->sink->sink.cut.block_size)
			n = j->sink->sink.cut.block_size;
		got = pread(piece->plain_fd, buffer, n,
			    (off_t)(piece->plain_at + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(err, "read");
		if (got == 0)
			return err_set(err, ERR_IO, "the input has become "
						    "shorter");
		if (write_all(j, buffer, (uint64_t)got, piece->offset + done,
			      err) < 0)
			return -1;
		done += (uint64_t)got;
	}
	return 0;
}

int write_piece(struct dir_sink *sink, struct worker *worker, unsigned index,
		int fd, const struct block *b, const struct piece *piece,
		struct err *err)
{
	const struct job_of j = { sink, worker, index, fd, b, piece };

	if (piece->len == 0)
		return 0;
	if (piece->is_hole)
		return write_hole(&j, err);
	if (piece->is_plain)
		return write_plain(&j, err);
	return write_data(&j, err);
}
