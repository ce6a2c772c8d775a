"""Which facts does a command lead to, or why is it refused?"""
