"""Which pairing of two-player tables is the best, and how is one of the best drawn?"""
