"""wireproof_harness: asking an implementation, and keeping what it answered."""
