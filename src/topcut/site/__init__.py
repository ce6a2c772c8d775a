"""How does an event become pages that need no server?"""
