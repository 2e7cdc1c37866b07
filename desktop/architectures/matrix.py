"""One weight matrix: its shape, and how tensor parallel cuts it."""

from dataclasses import dataclass
from typing import Literal

# heads: cut evenly, as query heads and the widths of an MLP are; kv_heads: cut no finer than a whole KV head;
# replicated: every rank holds all of it
Cut = Literal["heads", "kv_heads", "replicated"]


@dataclass(frozen=True, slots=True)
class Matrix:
    """`rows` outputs by `columns` inputs, `copies` of the same shape; `bias` adds one element a row."""

    role: str
    rows: int
    columns: int
    cut: Cut
    bias: bool = False
    copies: int = 1

    @property
    def elements(self) -> int:
        """Elements of the matrix alone."""
        return self.rows * self.columns * self.copies

    @property
    def bias_elements(self) -> int:
        return self.rows * self.copies if self.bias else 0
