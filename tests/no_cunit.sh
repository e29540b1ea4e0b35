# Stands in for the unit tests where configure found no CUnit.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

skip_all "the unit tests need CUnit, and configure found none"
