"""What does a fact change in the state of an event?"""
