"""What texts state, and which of them contradict each other."""
