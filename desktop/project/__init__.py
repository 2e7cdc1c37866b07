"""The user's document: inputs only, saved whole or not at all."""
