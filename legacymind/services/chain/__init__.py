"""The hash chain: hashing, verification, exported heads, and thought trees."""
