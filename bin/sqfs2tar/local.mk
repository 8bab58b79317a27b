# This room's sources and tests.
