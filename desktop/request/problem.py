"""What is wrong with an input, said by code: the words room turns it into a sentence in the reader's language."""


class Problem(Exception):
    """One thing that keeps a request from being answered.

    `code` names the kind (`unknown_gpu`, `invalid_plan`, …), `field` is the dotted path of the field or the file name,
    `values` fill the sentence that `resources/translations/messages.toml` keeps for the code.
    """

    def __init__(self, code: str, field: str = "", **values: object) -> None:
        super().__init__(code, field, values)
        self.code = code
        self.field = field
        self.values = values

    def __str__(self) -> str:
        details = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.code} at {self.field or 'the request'}" + (f" ({details})" if details else "")

    def at(self, prefix: str) -> "Problem":
        """The same problem with its field seen from one level up."""
        return Problem(self.code, f"{prefix}.{self.field}" if self.field else prefix, **self.values)
