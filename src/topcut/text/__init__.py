"""How do numbers, lists and names read inside a sentence?"""
