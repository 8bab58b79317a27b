dist_man1_MANS += doc/gensquashfs.1 doc/rdsquashfs.1 doc/sqfs2tar.1 doc/tar2sqfs.1

EXTRA_DIST += doc/codecs.md doc/describe.md doc/duplicates.md doc/input.md doc/pack.md doc/parallelism.md doc/reading.md \
	doc/scan.md doc/squashfs.md doc/select.md doc/tar.md doc/tree.md doc/unpack.md

# Written by make bench.
EXTRA_DIST += $(wildcard $(srcdir)/doc/benchmark.md \
	$(srcdir)/doc/benchmark/*.svg)
