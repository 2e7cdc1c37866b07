"""What can be asked on the command line, and which module answers it. Each is loaded only when it is asked."""

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from desktop import __version__
from desktop.cli.json_lines import defect
from desktop.request import Problem
from desktop.words import Language, problem_sentence

COMMANDS = ("estimate", "recommend", "cost", "inspect", "quote", "schema", "catalog", "self-check")
SCHEMAS = (
    "estimate",
    "recommend",
    "cost",
    "project",
    "estimate-result",
    "recommend-result",
    "cost-result",
)
Handler = Callable[[argparse.Namespace], int]

OK, FAILED, INTERRUPTED = 0, 1, 130


def names_a_project(arguments: Sequence[str]) -> bool:
    """Whether the arguments are one project file to open rather than a command.

    >>> names_a_project(["offer.rackwright.json"]), names_a_project(["quote"]), names_a_project(["qoute"])
    (True, False, False)
    """
    if len(arguments) != 1 or arguments[0].startswith("-") or arguments[0] in COMMANDS:
        return False
    path = Path(arguments[0])
    return path.suffix == ".json" or path.exists()


def run(arguments: Sequence[str]) -> int:
    """Runs one command. Exit status: 0 done, 1 something could not be answered, 2 the command line makes no sense."""
    _open_closed_streams()
    parser = _parser()
    try:
        chosen = parser.parse_args(arguments)
    except SystemExit as leaving:  # argparse has said why
        return int(leaving.code or 0)
    handler: Handler = chosen.handler
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal of another alphabet shows "?", and nothing breaks
    try:
        status = handler(chosen)
        sys.stdout.flush()  # here, where what goes wrong is still told
        return status
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT):
            return _defect(error, chosen.lang or "en")
        print(problem_sentence(Problem("output_unwritable"), chosen.lang or "en"), file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still buffered has nowhere to go
        return FAILED
    except Exception as error:
        return _defect(error, chosen.lang or "en")


def _open_closed_streams() -> None:
    """A shell may start a program with a stream closed (`<&-`): nothing is read from it, and nothing is said to it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  lives as long as the program


def _defect(error: Exception, language: Language) -> int:
    """One line for the user, all of it for a developer."""
    if sys.flags.dev_mode:
        raise error
    print(problem_sentence(defect(error), language), file=sys.stderr)
    return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rackwright",
        description="Sizes GPU servers for serving and training neural networks.",
        epilog="Without a command: opens the window. With a project file alone: opens it in the window.",
    )
    parser.add_argument("--version", action="version", version=f"Rackwright {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, told: str, handler: Handler) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=told, description=told)
        added.add_argument("--lang", choices=("en", "ru"), default=None, help="language of the messages")
        added.set_defaults(handler=handler)
        return added

    for name, told in (
        ("estimate", "Memory and speed of fixed plans, one JSON object a line."),
        ("recommend", "Ranked configurations for needs, one JSON object a line."),
        ("cost", "Break-even and totals from plain economics, one JSON object a line."),
    ):
        batch = command(name, told, _batch)
        batch.add_argument("file", nargs="?", default="-", metavar="FILE", help="JSON lines; -: standard input")
        batch.set_defaults(name=name)
    inspect = command("inspect", "What model files say of themselves, one JSON object a path.", _inspect)
    inspect.add_argument("paths", nargs="+", metavar="PATH", type=Path)
    quote = command("quote", "Spec sheet, workbook and quote.json for a project file.", _quote)
    quote.add_argument("project", metavar="PROJECT", type=Path)
    quote.add_argument("--out", metavar="DIR", type=Path, required=True, help="folder for them; made if missing")
    schema = command("schema", "JSON Schema of a request or a result.", _schema)
    schema.add_argument("name", metavar="NAME", choices=SCHEMAS, help=", ".join(SCHEMAS))
    _add_catalog_actions(command("catalog", "The catalog: its figures and its updates.", _catalog_stats))
    command("self-check", "Opens the catalog, sizes a reference case, writes documents, prints versions.", _self_check)
    return parser


def _add_catalog_actions(catalog: argparse.ArgumentParser) -> None:
    actions = catalog.add_subparsers(title="actions", metavar="ACTION", required=True)

    def action(name: str, told: str, handler: Handler) -> argparse.ArgumentParser:
        added = actions.add_parser(name, help=told, description=told)
        added.add_argument("--lang", choices=("en", "ru"), default=argparse.SUPPRESS, help="language of the messages")
        added.set_defaults(handler=handler)
        return added

    action("stats", "Rows of each table, how they were verified, and from when they are.", _catalog_stats)
    show = action("show", "What the catalog knows of one thing, one fact a line with its source.", _catalog_show)
    show.add_argument("name", metavar="NAME", help="a GPU, model, server, CPU or part, by any of its names")
    show.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    install = action("install", "Shows what an update changes, asks, and installs it.", _catalog_install)
    install.add_argument("file", metavar="FILE", type=Path, help="catalog-YYYY-MM.rwcat")
    install.add_argument("--yes", action="store_true", help="install without asking")
    action("rollback", "Returns to the catalog before the last update.", _catalog_rollback)
    taken = action("import", "What a vendor's price list changes in your own prices; --apply changes it.", _user_import)
    taken.add_argument("file", metavar="FILE", type=Path, help="CSV or XLSX")
    taken.add_argument("--supplier", metavar="NAME", required=True, help="whose list it is")
    taken.add_argument("--map", metavar="FIELD=COLUMN", action="append", default=[], help="which column means what")
    taken.add_argument("--link", metavar="NAME=ID", action="append", default=[], help="which part a name means")
    taken.add_argument("--sheet", metavar="TITLE", default="", help="sheet of a workbook")
    taken.add_argument("--currency", metavar="CODE", default="", help="currency, where the list does not say it")
    taken.add_argument("--vat", choices=("included", "excluded"), help="state of VAT, where the list does not say it")
    taken.add_argument("--kind", metavar="KIND", default="list", help="kind of the prices (default: list)")
    taken.add_argument("--region", metavar="REGION", default="", help="where the prices hold")
    taken.add_argument(
        "--decimal", choices=(".", ","), default="", help="decimal mark, where the list does not tell it"
    )
    taken.add_argument("--apply", action="store_true", help="take the prices; without it nothing is changed")
    given = action("export", "Your own prices and parts as a file that imports again.", _user_export)
    given.add_argument("file", metavar="FILE", type=Path, help="CSV or XLSX, by its ending")
    confirm = action("confirm", "Keeps that somebody vouches for a recalled value.", _user_confirm)
    confirm.add_argument("table", metavar="TABLE")
    confirm.add_argument("id", metavar="ID")
    confirm.add_argument("confirmed", metavar="FIELD", nargs="?", default="", help="without it, the whole record")
    confirm.add_argument("--by", metavar="NAME", required=True, help="who vouches for it")
    action("conflicts", "Where your own data and the shipped catalog disagree.", _user_conflicts)


def _batch(chosen: argparse.Namespace) -> int:
    from desktop.cli.batch import run_batch

    return run_batch(chosen.name, chosen.file, chosen.lang or "en")


def _inspect(chosen: argparse.Namespace) -> int:
    from desktop.cli.model_files import inspect

    return inspect(chosen.paths, chosen.lang or "en")


def _quote(chosen: argparse.Namespace) -> int:
    from desktop.cli.documents import write_documents

    return write_documents(chosen.project, chosen.out, chosen.lang)


def _schema(chosen: argparse.Namespace) -> int:
    from desktop.cli.schemas import print_schema

    return print_schema(chosen.name)


def _catalog_stats(chosen: argparse.Namespace) -> int:
    from desktop.cli.catalog_figures import print_figures

    return print_figures(chosen.lang or "en")


def _catalog_show(chosen: argparse.Namespace) -> int:
    from desktop.cli.catalog_show import show

    return show(chosen.name, chosen.lang or "en", chosen.json)


def _catalog_install(chosen: argparse.Namespace) -> int:
    from desktop.cli.catalog_updates import install_update

    return install_update(chosen.file, chosen.yes, chosen.lang or "en")


def _catalog_rollback(chosen: argparse.Namespace) -> int:
    from desktop.cli.catalog_updates import roll_back

    return roll_back(chosen.lang or "en")


def _user_import(chosen: argparse.Namespace) -> int:
    from desktop.cli.user_catalog import import_price_list

    return import_price_list(chosen, chosen.lang or "en")


def _user_export(chosen: argparse.Namespace) -> int:
    from desktop.cli.user_catalog import export_own_data

    return export_own_data(chosen.file, chosen.lang or "en")


def _user_confirm(chosen: argparse.Namespace) -> int:
    from desktop.cli.user_catalog import confirm_value

    return confirm_value(chosen.table, chosen.id, chosen.confirmed, chosen.by, chosen.lang or "en")


def _user_conflicts(chosen: argparse.Namespace) -> int:
    from desktop.cli.user_catalog import list_conflicts

    return list_conflicts(chosen.lang or "en")


def _self_check(chosen: argparse.Namespace) -> int:
    from desktop.cli.self_check import self_check

    return self_check(chosen.lang or "en")
