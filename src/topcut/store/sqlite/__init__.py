"""How is a store kept in a SQLite file?"""
