"""Facts of the server, its processor and its GPU that nobody has read in a document, named for the reader."""

from desktop.report.wording import Wording

OWNERS = ("platform", "cpu", "gpu")


def recalled_words(wording: Wording, names: list[str], most: int | None = None) -> str:
    """`platform.rack_units`, `cpu` as server (height); CPU (all of it). At most `most` facts a part; empty for none."""
    say = wording.label
    said = []
    for owner in OWNERS:
        if owner in names:
            said.append(say("recalled.whole", owner=say(f"recalled.{owner}")))
            continue
        fields = [name.removeprefix(f"{owner}.") for name in names if name.startswith(f"{owner}.")]
        facts = list(dict.fromkeys(wording.known(f"recalled.fact.{field}", say("recalled.other")) for field in fields))
        listed = ", ".join(facts[:most])
        if most is not None and len(facts) > most:
            listed += say("source.more", more=len(facts) - most)
        if facts:
            said.append(say("recalled.of", owner=say(f"recalled.{owner}"), facts=listed))
    return "; ".join(said)
