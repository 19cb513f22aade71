"""wireproof: what is right on the wire of five protocols.

>>> from wireproof import codec
>>> comet = codec("comet", direction="c2s")
>>> comet.answer(comet.decode(bytes.fromhex("000106")))
{'ok': True, 'messages': [{'command': {'dir': 'c2s', 'type': 6, 'name': 'heartbeat'}}], 'consumed': 3}
"""

from wireproof.codec import PROTOCOLS, Codec, codec
from wireproof.errors import BadProfile, BadValue, Malformed, Refused, WireError, WireproofError

__version__ = "0.1.0"

__all__ = [
    "PROTOCOLS",
    "BadProfile",
    "BadValue",
    "Codec",
    "Malformed",
    "Refused",
    "WireError",
    "WireproofError",
    "__version__",
    "codec",
]
