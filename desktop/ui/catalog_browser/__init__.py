"""The catalog in a window of its own: search, filters, a comparison, and every value with its source and age."""
