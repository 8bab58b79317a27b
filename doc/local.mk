dist_man1_MANS += doc/tar2sqfs.1
