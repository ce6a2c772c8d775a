"""What do staff see and click? The pages of the desk."""
