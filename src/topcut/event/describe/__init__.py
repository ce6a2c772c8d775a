"""How is what happened told to people?"""
