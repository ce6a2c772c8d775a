"""What do people see and click? The pages of desk (staff) and hall (everybody), and how they stay live."""
