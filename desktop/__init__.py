"""Rackwright: a request goes in, a quote comes out."""

__version__ = "0.1.0"
