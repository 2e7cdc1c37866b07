"""Names as a reader writes them for the codes of engines, frameworks, number formats and regions."""

from desktop.words.phrases import Language, known_phrase

GGUF = "gguf:"


def engine_name(code: str, language: Language) -> str:
    """`vllm 0.19.0` as vLLM 0.19.0; a tool that nobody wrote down keeps its code."""
    name, _, version = code.partition(" ")
    return f"{known_phrase('terms', f'engine.{name}', language, name)} {version}".strip()


def format_name(code: str, language: Language) -> str:
    """`awq-int4` as INT4 AWQ; a GGUF type keeps its own name."""
    if code.startswith(GGUF):
        return f"GGUF {code.removeprefix(GGUF)}"
    return known_phrase("terms", f"format.{code}", language, code.upper())


def region_name(name: str, language: Language) -> str:
    """A region of the catalog; one of a newer catalog keeps its name."""
    return known_phrase("terms", f"region.{name}", language, name)
