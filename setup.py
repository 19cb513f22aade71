"""Lists the packages; everything else about the build is in pyproject.toml.

pyproject.toml can name packages one by one or find them, but not both, and two of ours are data folders
whose place in the tree is not their place in the package. Finding them here means a new sub-package is
shipped without anyone having to remember it.
"""

from setuptools import find_packages, setup

ROOTS = {
    "conformance": "wireproof",
    "harness": "wireproof_harness",
    "reports": "wireproof_reports",
}
DATA = ["wireproof.vectors", "wireproof_harness.kits"]

setup(
    packages=[package for root, name in ROOTS.items() for package in find_packages(root, include=[name, f"{name}.*"])]
    + DATA
)
