# Stands in for the unit tests that MPFR judges where configure found no MPFR.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

skip_all "the unit tests of roundings and text are judged by MPFR, and configure found none"
