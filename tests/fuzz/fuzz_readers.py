"""`make fuzz`: the readers of model files on changed bytes for as long as asked.

With atheris (Linux) the changes are led by the lines they reach; without it, hypothesis draws them. Beyond what
`attempt` holds, nothing may take longer than a second or more than 200 MB.
"""

import argparse
import importlib.util
import sys
import time
import tracemalloc
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

LONGEST_S = 1.0
MOST_BYTES = 200 * 10**6
CORPUS = Path("build", "fuzz", "corpus")  # kept: the next run begins where this one ended


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=int, default=300)
    seconds = arguments.parse_args().seconds
    if importlib.util.find_spec("atheris") is None:
        _with_hypothesis(seconds)
    else:
        _with_atheris(seconds)


def _with_atheris(seconds: int) -> None:
    """The first byte picks the reader, the others are its file."""
    import atheris

    with atheris.instrument_imports(include=["desktop.architectures", "desktop.request"]):
        from tests.fuzz.attempts import READERS, attempt
        from tests.fuzz.seeds import SEEDS
    readers = sorted(READERS)

    def one(data: bytes) -> None:
        if data:
            attempt(readers[data[0] % len(readers)], data[1:])

    CORPUS.mkdir(parents=True, exist_ok=True)
    for number, reader in enumerate(readers):
        for place, seed in enumerate(SEEDS[reader]):
            (CORPUS / f"{reader}-{place}").write_bytes(bytes([number]) + seed)
    limits = [f"-max_total_time={seconds}", "-timeout=1", "-malloc_limit_mb=200", "-rss_limit_mb=600", "-max_len=65536"]
    told = ["-verbosity=0", "-print_final_stats=1", f"-artifact_prefix={CORPUS.parent}/"]
    print(f"atheris, {seconds} s; a file that breaks a reader is left in {CORPUS.parent}", flush=True)
    atheris.Setup([sys.argv[0], *limits, *told, str(CORPUS)], one)
    atheris.Fuzz()


def _with_hypothesis(seconds: int) -> None:
    from tests.fuzz.attempts import attempt
    from tests.fuzz.mutations import damaged, odd_gguf, spliced_config
    from tests.fuzz.seeds import SEEDS

    files = st.one_of(
        *(st.tuples(st.just(reader), damaged(seeds)) for reader, seeds in SEEDS.items()),
        *(st.tuples(st.just(reader), st.binary(max_size=65_536)) for reader in SEEDS),
        st.tuples(st.just("gguf"), odd_gguf()),
        st.tuples(st.just("config"), spliced_config(SEEDS["config"])),
    )
    tried = 0

    @settings(max_examples=500, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(file=files)
    def many(file: tuple[str, bytes]) -> None:
        nonlocal tried
        if time.monotonic() > end:
            return
        tried += 1
        begun = time.monotonic()
        attempt(*file)
        assert time.monotonic() - begun < LONGEST_S, file

    print(f"hypothesis (atheris is not installed), {seconds} s", flush=True)
    end = time.monotonic() + seconds
    tracemalloc.start()
    while time.monotonic() < end:
        many()
    assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    print(f"{tried} files, no defect")


if __name__ == "__main__":
    main()
