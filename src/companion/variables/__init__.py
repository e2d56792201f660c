"""The variables of a notebook, as its kernel holds them."""
