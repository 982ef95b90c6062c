"""What an operation is: its declaration, and one validation for every caller."""
