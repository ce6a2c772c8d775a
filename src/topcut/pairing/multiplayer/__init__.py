"""Who sits with whom where a table takes more than two?"""
