"""wireproof_reports: what many runs add up to."""
