"""Closed formulas for the elements of each part of a network."""
