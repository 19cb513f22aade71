"""Corpora: millions of generated frames in Parquet, each with the reference's answer, and checks over them."""
