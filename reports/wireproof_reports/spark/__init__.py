"""Spark, set up in one place: sessions, what is shipped to a cluster, and files wherever they lie."""
