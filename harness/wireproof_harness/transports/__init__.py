"""Ways of reaching an implementation."""
