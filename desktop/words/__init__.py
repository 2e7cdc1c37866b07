"""Codes become sentences here, in English and Russian. Nothing below this room holds a sentence."""

from desktop.words.numerals import Numerals
from desktop.words.phrases import Language, phrase, phrases_of

__all__ = ["Language", "Numerals", "phrase", "phrases_of"]
