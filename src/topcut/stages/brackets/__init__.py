"""Who meets whom in an elimination bracket, and who ends where?"""
