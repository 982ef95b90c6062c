"""Reading back: search, context, trails, and why something was recalled."""
