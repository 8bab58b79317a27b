#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every test there is: builds of several kinds, each with its make check, the
# same image from all of them, a distribution, handed cases and a real root
# file system. Ends with one line, "N passed, N failed"; status 1 if any did.
#
#   tests/ci.sh [STEP...]     all steps, or those named
#
# What is made lies below $CI_DIR, by default sqfskit-ci in $TMPDIR or
# /var/tmp; builds are made afresh, test data is kept. The cases come from the
# folder $SHARED, by default "shared" beside the checkout, where there is one.
set -u
export LC_ALL=C TZ=UTC
unset SOURCE_DATE_EPOCH MAKEFLAGS

top=$(cd "$(dirname "$0")/.." && pwd)
work=${CI_DIR:-${TMPDIR:-/var/tmp}/sqfskit-ci}
shared=${SHARED:-$top/../shared}
src=$work/src
data=$work/data
jobs=-j$(nproc)
images=$work/images
passed=0
failed=0
started=$SECONDS

# The tests sync what they write; a folder in memory spares the disk, if it is
# roomy and holds attributes.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] &&
   [ "$(df -P -k /dev/shm | awk 'END { print $4 }')" -gt 4000000 ] &&
   python3 - << '.' 2> /dev/null
import os, tempfile
with tempfile.NamedTemporaryFile(dir="/dev/shm") as f:
    os.setxattr(f.name, "user.try", b"")
.
then
	export TMPDIR=/dev/shm
	images=$(mktemp -d /dev/shm/sqfskit-images.XXXXXX)
	trap 'rm -rf "$images"' EXIT
	trap 'exit 1' INT TERM HUP
fi

# Thousands of short runs: a python3 without a chooser of versions in front and
# packages of the site behind it starts in a tenth of the time.
quick_python() {
	local real=/usr/bin/python3 # which every user may run
	[ -x $real ] ||
		real=$(python3 -c 'import sys; print(sys.executable)') || return
	mkdir -p "$work/bin" &&
		printf '#!/bin/sh\nexec "%s" -S "$@"\n' "$real" \
			> "$work/bin/python3" &&
		chmod +x "$work/bin/python3" && PATH=$work/bin:$PATH
}

say() {
	printf '[%4d s] %s\n' $((SECONDS - started)) "$*"
}

# count NAME PASSED FAILED: adds to the sums.
count() {
	passed=$((passed + $2))
	failed=$((failed + $3))
	say "$1: $2 passed, $3 failed"
}

# step NAME COMMAND...: one check; what it says is shown if it fails.
step() {
	local name=$1 log
	log=$work/log/${name//[^a-zA-Z0-9.]/_}
	shift
	if "$@" > "$log" 2>&1; then
		count "$name" 1 0
	else
		tail -n 40 "$log" | sed 's/^/    /'
		count "$name" 0 1
		return 1
	fi
}

# summary NAME LOG: adds the last "N passed, N failed" of a log.
summary() {
	local line
	line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$2" | tail -n 1)
	if [ -z "$line" ]; then
		tail -n 20 "$2" | sed 's/^/    /'
		count "$1" 0 1
		return
	fi
	grep '^FAIL' "$2" | head -n 20 | sed 's/^/    /'
	count "$1" "${line%% *}" "$(echo "$line" | cut -d' ' -f3)"
}

# build NAME CC FLAGS OPTION...: a build of its own.
build() {
	local dir=$work/$1 cc=$2 flags=$3
	shift 3
	rm -rf "$dir"
	mkdir -p "$dir" && cd "$dir" &&
		"$src/configure" -q --enable-werror CC="$cc" CFLAGS="$flags" \
			"$@" && make -s "$jobs"
}

# check NAME [TESTS]: its make check, with the tests counted. CI_TESTS in the
# environment takes the place of all tests.
check() {
	[ $# -gt 1 ] || [ -z "${CI_TESTS:-}" ] || set -- "$1" "$CI_TESTS"
	local name=$1 log=$work/log/check-$1 suite=$work/$1/test-suite.log
	local good bad skipped
	cd "$work/$name" || return
	rm -f "$suite"
	if [ $# -gt 1 ]; then
		make "$jobs" check "TESTS=$2" > "$log" 2>&1
	else
		make "$jobs" check > "$log" 2>&1
	fi
	if ! grep -q '^# PASS:' "$log"; then
		tail -n 40 "$log" | sed 's/^/    /'
		count "$name: make check" 0 1
		return
	fi
	good=$(sed -n 's/^# PASS: *//p' "$log")
	bad=$(($(sed -n 's/^# FAIL: *//p' "$log") +
		$(sed -n 's/^# ERROR: *//p' "$log")))
	skipped=$(sed -n 's/^# SKIP: *//p' "$log")
	[ "$bad" -eq 0 ] || sed 's/^/    /' "$suite" | head -n 200
	[ "$skipped" -eq 0 ] || grep -h '^SKIP' "$log" | sed 's/^/    /'
	count "$name: make check" "$good" "$bad"
}

# ------------------------------------------------------------------ the steps

# A copy, so that the checkout stays as it is.
prepare() {
	rm -rf "$src"
	mkdir -p "$src" "$data" "$work/log"
	tar -C "$top" --exclude=./.git --exclude=./build* --exclude=*.o \
		--exclude=*.a --exclude=./autom4te.cache --exclude=./config.* \
		--exclude=./Makefile --exclude=__pycache__ -cf - . |
		tar -C "$src" -xf - &&
		cp "$top/configure.ac" "$src" && cd "$src" && ./autogen.sh
}

step_scripts() {
	local list
	mapfile -t list < <(find "$top/tests" "$top/.ci" "$top" -maxdepth 3 \
		-name '*.sh' -not -path '*/build*' -not -path '*/sqfskit-*' |
		sort -u)
	step 'shellcheck' shellcheck -S warning -x "${list[@]}" "$top/.ci/run"
	step 'python compiles' python3 - "$top" << '.'
import ast, glob, sys
for path in glob.glob(sys.argv[1] + "/tests/**/*.py", recursive=True):
    ast.parse(open(path).read(), path)
.
}

step_gcc() {
	step 'gcc: build' build gcc gcc '-O2 -g' || return
	check gcc
	step 'gcc: install' make -s install "DESTDIR=$work/gcc/root" || return
	step 'gcc: installed program runs' \
		"$work/gcc/root/usr/local/bin/tar2sqfs" --version
	step 'gcc: uninstall leaves nothing' uninstalled "$work/gcc/root"
}

uninstalled() {
	make -s uninstall "DESTDIR=$1" && ! find "$1" -type f | grep .
}

step_clang() {
	step 'clang: build' build clang clang '-O2 -g' || return
	# shellcheck disable=SC2016
	check clang '$(unit_tests)'
}

step_serial() {
	step 'serial: build' build serial gcc '-O2 -g' --without-pthread ||
		return
	# shellcheck disable=SC2016
	check serial '$(thread_tests)'
}

step_address() {
	step 'address,undefined: build' build address gcc '-O1 -g' \
		--enable-sanitizers=address,undefined || return
	export ASAN_OPTIONS=detect_leaks=1
	# shellcheck disable=SC2016
	check address '$(address_tests)'
}

step_thread() {
	step 'thread: build' build thread gcc '-O1 -g' \
		--enable-sanitizers=thread || return
	# shellcheck disable=SC2016
	check thread '$(thread_tests)'
}

# Each library left out on its own.
step_codecs() {
	local all=(gzip libdeflate xz lz4 zstd lzo bzip2) one
	for one in "${all[@]}"; do
		step "without $one: build" build "without-$one" gcc -O1 \
			"--without-$one" || continue
		# shellcheck disable=SC2016
		check "without-$one" '$(codec_tests)'
	done
}

step_intree() {
	rm -rf "$work/intree"
	cp -a "$src" "$work/intree" && cd "$work/intree" || return
	step 'in the tree: build' bash -c "./configure -q && make -s $jobs" ||
		return
	check intree tests/tool/tar2sqfs/options.sh
	step 'in the tree: bench builds' make -s tests/bench/bare
}

# What is packed is all there: it builds, installs, and its tests run, of the
# scripts one for each tool.
step_dist() {
	mkdir -p "$work/dist" && cd "$work/dist" || return
	# shellcheck disable=SC2016
	step 'distcheck' bash -c \
		"'$src/configure' -q && make $jobs distcheck \"TESTS=\$1\"" - \
		'$(unit_tests) $(filter %/help.sh,$(tool_tests))'
}

# One image from all builds, jobs, and ways in.
step_same() {
	local tar codec way want
	python3 "$top/tests/mktar.py" > "$data/sample.tar" << '.'
dir d mtime=1
file d/t%d copies=3000 parts=t900 seed=%d
file d/u%d copies=200 parts=t3000,r100 seed=%d xattr.user.n=%d
file big%d copies=10 parts=t150000,z131072,r90000 seed=%d
file same%d copies=10 parts=t500000 seed=1
.
	tar -C "$top" --sort=name --mtime=@0 --owner=0 --group=0 \
		-cf "$data/self.tar" lib include tests
	for tar in sample self; do
		for codec in gzip xz lzma lzo lz4 zstd; do
			want=$work/want.sqfs
			"$work/gcc/tar2sqfs" -q -f -c $codec -j 2 "$want" \
				"$data/$tar.tar" 2> /dev/null || want=none
			for way in clang serial address thread; do
				[ -x "$work/$way/tar2sqfs" ] || continue
				[ $way != thread ] || [ $codec = lz4 ] ||
					continue
				step "$tar, $codec: same bytes from $way" \
					same_image $way $codec "$tar" "$want"
			done
		done
	done
}

same_image() {
	"$work/$1/tar2sqfs" -q -f -c "$2" -j 3 "$work/have.sqfs" \
		< "$data/$3.tar" && cmp "$work/have.sqfs" "$4"
}

# keyed NAME FILE...: the folder data/NAME-SUM, SUM being of the files.
keyed() {
	local name=$1
	shift
	echo "$data/$name-$(cat "$@" | sha256sum | cut -c1-12)"
}

step_cases() {
	local dir log
	rm -f "$work"/log/cases-*
	if [ ! -x "$shared/cases/run-cases.py" ]; then
		say "no handed cases in $shared/cases"
		return
	fi
	dir=$(keyed cases "$shared"/cases/*.py)
	if [ ! -e "$dir/done" ]; then
		rm -rf "$dir"
		mkdir -p "$dir"
		step 'cases: make tars' "$shared/cases/make-tars.py" \
			"$dir/tars" || return
		step 'cases: make images' "$shared/cases/make-images.py" \
			"$dir/images" || return
		touch "$dir/done"
	fi
	# Two at a time, of tars and of images, of both builds.
	run_cases tars gcc --same-bytes --dir-nlink --unpack-links \
		--root-unpack &
	run_cases images gcc
	wait
	if [ -x "$work/address/tar2sqfs" ]; then
		run_cases tars address --quick --vlimit 0 --rss 4096 \
			--timeout 60 &
		run_cases images address --vlimit 0 --rss 4096 --timeout 60
		wait
	fi
	for log in "$work"/log/cases-*; do
		summary "${log##*/}" "$log"
	done
}

# run_cases KIND BUILD OPTION...: into a log.
run_cases() {
	local kind=$1 build=$2
	shift 2
	"$shared/cases/run-cases.py" --bin "$work/$build" "$@" "$dir/$kind" \
		> "$work/log/cases-$kind-$build" 2>&1
}

# A minimal Debian, as the tools beside the checkout make it.
make_small() {
	local dir
	dir=$(keyed corpus "$shared/tools/make-corpus")
	small=$dir/small.tar
	[ ! -f "$small" ] || return 0
	rm -rf "$dir"
	mkdir -p "$dir" && "$shared/tools/make-corpus" "$dir" --only small ||
		return
	# It may come as a folder.
	if [ -d "$small" ]; then
		tar -C "$small" --sort=name --numeric-owner --xattrs \
			--xattrs-include='*' --format=pax -cf "$dir/part" . &&
			rm -rf "$small" && mv "$dir/part" "$small"
	fi
	[ -f "$small" ]
}

# packed NAME CODEC SIZE: the image of small, sound by the strict reader.
packed() {
	"$work/gcc/tar2sqfs" -q -f -c "$2" -b "$3" "$1" "$small" &&
		python3 "$top/tests/readimage.py" "$1" > "$1.tree" &&
		cmp "$1.tree" "$images/want.tree"
}

unpacked_by() {
	local out=$images/out status
	rm -rf "$out"
	mkdir "$out"
	case $1 in
	ours) "$work/gcc/rdsquashfs" -q -u / -p "$out" -COTX "$2" ;;
	unsquashfs) unsquashfs -n -q -f -d "$out" "$2" ;;
	rdsquashfs) rdsquashfs -q -u / -p "$out" -C -O -T -X "$2" ;;
	squashfuse) squashfuse "$2" "$out" ;;
	esac || return
	python3 "$top/tests/dirtree.py" "$out" > "$2.by"
	status=$?
	[ "$1" != squashfuse ] || fusermount -u "$out" || umount "$out"
	[ $status -eq 0 ] || return
	# rdsquashfs makes no hard links, squashfuse gives few attributes.
	case $1 in
	ours|unsquashfs) cmp "$images/want.tree" "$2.by" ;;
	*) cmp <(content_only "$images/want.tree") \
		<(content_only "$2.by") ;;
	esac
}

# A tar of an image holds what the first one held.
to_tar() {
	"$work/gcc/sqfs2tar" -q "$1" > "$images/back.tar" &&
		python3 "$top/tests/tartree.py" "$images/back.tar" \
			> "$1.back" && cmp "$images/want.tree" "$1.back"
}

content_only() {
	awk '$1 != "/" { $3 = $6 = $7 = $12 = "-"
		if ($10 ~ /^=/) $10 = "-"
		print }' "$1"
}

step_corpus() {
	local codec size image reader pairs=()
	if [ ! -x "$shared/tools/make-corpus" ]; then
		say "no corpus tools in $shared/tools"
		return
	fi
	step 'corpus: make' make_small || return
	rm -rf "$images"
	mkdir -p "$images"
	python3 "$top/tests/tartree.py" "$small" > "$images/want.tree"
	for codec in gzip xz lzma lzo lz4 zstd; do
		for size in 4K 128K 1M; do
			# What the kernel reads comes in all sizes.
			case $codec-$size in
			lzma-128K|lzo-128K) ;;
			lzma-*|lzo-*) continue ;;
			esac
			image=$images/$codec-$size.sqfs
			step "corpus: $codec $size" packed "$image" $codec \
				$size || continue
			case $codec in
			lzma) ;;
			*) pairs+=("$image" "$small") ;;
			esac
			[ $codec = lzo ] || [ $size != 128K ] ||
				step "corpus: $codec $size, sqfsread" \
					"$shared/cases/sqfsread.py" --verify \
					"$image"
		done
		image=$images/$codec-128K.sqfs
		step "corpus: $codec, check" "$work/gcc/rdsquashfs" --check \
			"$image"
		step "corpus: $codec, back to tar" to_tar "$image"
		if [ "$(id -u)" -eq 0 ]; then
			step "corpus: $codec, ours" unpacked_by ours "$image"
			step "corpus: $codec, unsquashfs" unpacked_by \
				unsquashfs "$image"
		fi
	done
	for reader in rdsquashfs squashfuse; do
		[ "$(id -u)" -eq 0 ] || continue
		step "corpus: zstd, $reader" unpacked_by $reader \
			"$images/zstd-128K.sqfs"
	done
	step 'corpus: the kernel' "$shared/tools/kernel-mount" --verify \
		"${pairs[@]}"
}

# Debian's policy, out of its package: installing it would start a lot.
fetch_policy() {
	cd "$1" || return
	apt-get -q download selinux-policy-default ||
		{ apt-get -q update &&
			apt-get -q download selinux-policy-default; } || return
	dpkg-deb -x selinux-policy-default_*.deb . &&
		python3 "$top/tests/selabel.py" --modules \
			usr/share/selinux/default > new && mv new file_contexts
}

# Labels of a real policy, and what libselinux says.
step_policy() {
	local contexts=$data/policy/file_contexts
	mkdir -p "$data/policy"
	[ -s "$contexts" ] ||
		step 'policy: fetch' fetch_policy "$data/policy" || return
	step 'policy: labels' env "builddir=$work/gcc" "top_srcdir=$src" \
		"SELINUX_CONTEXTS=$contexts" \
		sh "$src/tests/tool/tar2sqfs/selinux.sh"
}

# Instructions of an optimized build against what they were; only where the
# committed figures hold.
step_instructions() {
	local log=$work/log/instructions
	[ -x "$work/gcc/tar2sqfs" ] ||
		step 'instructions: build' build gcc gcc '-O2 -g' || return
	python3 "$src/tests/bench/instructions" --build "$work/gcc" \
		> "$log" 2>&1
	case $? in
	0) count instructions 1 0 ;;
	77) sed 's/^/    /' "$log"; count 'instructions: skipped' 0 0 ;;
	*) sed 's/^/    /' "$log"; count instructions 0 1 ;;
	esac
}

# Every fuzz target for a minute.
step_fuzz() {
	cd "$work/gcc" || return
	"$src/tests/fuzz/fuzz.sh" "${FUZZ_SECONDS:-60}" "$work/fuzz" \
		> "$work/log/fuzz" 2>&1
	summary fuzz "$work/log/fuzz"
}

[ $# -gt 0 ] || set -- scripts gcc instructions clang serial address \
	thread codecs intree dist same cases corpus policy fuzz
mkdir -p "$work/log"
quick_python
step 'autogen' prepare || { echo "$passed passed, $failed failed"; exit 1; }
export TESTS_NEED_ALL=yes
for name; do
	say "--- $name"
	"step_$name"
	if [ "$name" = gcc ] && [ ! -x "$work/gcc/tar2sqfs" ]; then
		say 'no program, so no further tests'
		break
	fi
done
say 'done'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
