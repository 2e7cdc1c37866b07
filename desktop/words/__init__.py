"""Codes become sentences here, in English and Russian. Nothing below this room holds a sentence."""

from desktop.words.numerals import Numerals
from desktop.words.phrases import Language, phrase, phrases_of
from desktop.words.sentences import message_sentence, problem_sentence, rule_sentence, written

__all__ = [
    "Language",
    "Numerals",
    "message_sentence",
    "phrase",
    "phrases_of",
    "problem_sentence",
    "rule_sentence",
    "written",
]
