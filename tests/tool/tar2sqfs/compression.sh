#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --no-compression stores just the parts that it names.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python
has_codec gzip || skip 'gzip is not built in'

mktar a.tar << '.'
file text parts=t300000
file f%d copies=200 parts=t300 seed=%d uid=%d xattr.user.number=%d-%d-%d-%d-%d-%d
file tail parts=t70000
.
pack a.tar img.sqfs -q -c gzip -T
facts img.sqfs
for part in data_raw fragments_raw inode_blocks_raw directory_blocks_raw \
	id_blocks_raw xattr_blocks_raw; do
	same "$part by default" "$(fact $part)" 0
done
lacks 'no flag' facts '^flags .*raw_'

# raw LIST FLAGS: with LIST, exactly FLAGS are set and those parts are raw.
raw() {
	pack a.tar img.sqfs -q -c gzip -T "--no-compression=$1"
	same_tree img.sqfs a.tar
	facts img.sqfs
	same "$1: flags" "$(fact flags | tr , '\n' | grep raw_ | sort |
		tr '\n' ' ')" "$2"
	for part in data:data_packed:data_raw \
		fragments:fragments_packed:fragments_raw \
		inodes:inode_blocks_packed:inode_blocks_raw \
		ids:id_blocks_packed:id_blocks_raw \
		xattrs:xattr_blocks_packed:xattr_blocks_raw; do
		packed=${part#*:}
		case ,$1, in
		*,${part%%:*},*) empty=${packed%:*} full=${packed#*:} ;;
		*) empty=${packed#*:} full=${packed%:*} ;;
		esac
		same "$1: $empty" "$(fact "$empty")" 0
		ok "$1: $full" test "$(fact "$full")" -gt 0
	done
}
raw data 'raw_data '
raw fragments 'raw_fragments '
raw inodes 'raw_inodes '
raw ids 'raw_ids '
raw xattrs 'raw_xattrs '
raw data,ids 'raw_data raw_ids '
raw data,fragments,inodes,ids,xattrs \
	'raw_data raw_fragments raw_ids raw_inodes raw_xattrs '
refuses 2 nonesuch --no-compression data,nonesuch no.sqfs
finish
