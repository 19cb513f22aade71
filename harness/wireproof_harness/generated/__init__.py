"""Questions that nobody wrote: generated, compared with the reference, and made small where the answers differ."""
