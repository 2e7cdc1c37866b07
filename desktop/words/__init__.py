"""Codes become sentences here, in English and Russian. Nothing below this room holds a sentence."""

from desktop.words.cost_inputs import Unit, input_figure, input_name, input_unit
from desktop.words.names import engine_name, format_name, region_name
from desktop.words.numerals import Numerals
from desktop.words.phrases import Language, known_phrase, phrase, phrases_of
from desktop.words.sentences import doubt_sentence, message_sentence, problem_sentence, rule_sentence, written

__all__ = [
    "Language",
    "Numerals",
    "Unit",
    "doubt_sentence",
    "engine_name",
    "format_name",
    "input_figure",
    "input_name",
    "input_unit",
    "known_phrase",
    "message_sentence",
    "phrase",
    "phrases_of",
    "problem_sentence",
    "region_name",
    "rule_sentence",
    "written",
]
