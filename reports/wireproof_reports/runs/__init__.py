"""What many runs add up to: result logs brought into tables, and reports computed from them."""
