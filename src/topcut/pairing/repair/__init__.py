"""What is the least to change in a round that is published and has not started?"""
