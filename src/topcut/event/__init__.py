"""What may happen now, and what did? Commands become facts, facts make the state; nothing here does I/O."""
