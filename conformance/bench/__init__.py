"""Measurements of the codecs; a package so that no other `bench` on the path is taken for it."""
