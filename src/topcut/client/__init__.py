"""How do other programs speak to a desk? The shapes of the API, and a small client for them."""
