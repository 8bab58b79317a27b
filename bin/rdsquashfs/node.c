/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdsquashfs/node.h"

#include <string.h>
#include <time.h>

#include "util/err.h"

static int in_path(const struct node *node, struct err *err)
{
	char name[NAME_TEXT_LEN];

	if (node->path.len == 0)
		return err_in(err, "/");
	return err_in(err, "%s",
		      name_text((const char *)node->path.data, node->path.len,
				name));
}

int node_load(struct image *image, struct meta_ref ref, struct node *node,
	      struct err *err)
{
	node->ref = ref;
	if (inode_decode(image, ref, &node->inode, &node->space, NULL, err) <
		    0 ||
	    image_id(image, node->inode.uid_index, &node->uid, err) < 0 ||
	    image_id(image, node->inode.gid_index, &node->gid, err) < 0)
		return in_path(node, err);
	return 0;
}

void node_cleanup(struct node *node)
{
	inode_space_cleanup(&node->space);
	buffer_cleanup(&node->path);
}

const char *node_name(const struct node *node)
{
	const char *path = (const char *)node->path.data;
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
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
