/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/node.h"

#include <string.h>
#include <time.h>


const char *node_name(const struct node *node)
{
	const char *slash = strrchr(node->path, '/');

	return slash ? slash + 1 : node->path;
}

uint64_t node_size(const struct inode *inode)
{
	switch (inode->type) {
	case INODE_FILE:
		return inode->u.file.size;
	case INODE_DIR:
		return (uint64_t)inode->u.dir.listing_len + 3;
	case INODE_SYMLINK:
		return inode->u.symlink.target_len;
	default:
		return 0;
	}
}

char node_letter(enum inode_type type)
{
	return "?d-lbcps"[type];
}

const char *node_type_name(enum inode_type type)
{
	switch (type) {
	case INODE_DIR:
		return "directory";
	case INODE_FILE:
		return "file";
	case INODE_SYMLINK:
		return "symbolic link";
	case INODE_BLOCK_DEVICE:
		return "block device";
	case INODE_CHAR_DEVICE:
		return "character device";
	case INODE_FIFO:
		return "named pipe";
	case INODE_SOCKET:
		return "socket";
	}
	return "";
}

const char *mode_text(enum inode_type type, uint16_t mode,
		      char out[MODE_TEXT_LEN])
{
	static const char bits[] = "rwxrwxrwx";

	out[0] = node_letter(type);
	for (int i = 0; i < 9; i++)
		out[1 + i] = mode & 0400 >> i ? bits[i] : '-';
	if (mode & 04000)
		out[3] = mode & 0100 ? 's' : 'S';
	if (mode & 02000)
		out[6] = mode & 0010 ? 's' : 'S';
	if (mode & 01000)
		out[9] = mode & 0001 ? 't' : 'T';
	out[10] = '\0';
	return out;
}

const char *time_text(uint32_t mtime, const char *format,
		      char out[TIME_TEXT_LEN])
{
	time_t t = (time_t)mtime;
	struct tm tm;

	/* A time_t of 32 bits ends in 2038. */
	if ((int64_t)t != (int64_t)mtime || !gmtime_r(&t, &tm) ||
	    strftime(out, TIME_TEXT_LEN, format, &tm) == 0)
		strcpy(out, "?");
	return out;
}
