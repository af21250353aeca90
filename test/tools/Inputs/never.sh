#!/bin/sh
# For xla-reduce: finds nothing interesting.
exit 0
