"""How fast is it? Each claim beside a peer or a floor in the same process, as a ratio."""
