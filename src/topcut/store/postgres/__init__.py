"""How is a store kept in PostgreSQL?"""
