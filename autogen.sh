#!/bin/sh
# Makes configure and the Makefile templates. Needs autoconf and automake.
set -e
cd "$(dirname "$0")"
mkdir -p build-aux
exec autoreconf --install --force --warnings=all
