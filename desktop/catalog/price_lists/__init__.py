"""Price lists of vendors: read from CSV or XLSX, previewed, taken into the user's data; and that data written out."""

from desktop.catalog.price_lists.columns import ColumnMapping, guess_mapping
from desktop.catalog.price_lists.export import export_user_data
from desktop.catalog.price_lists.preview import PartChange, Preview, PriceChange, apply, mapping_of, preview
from desktop.catalog.price_lists.table import Reject, Table, read_table

__all__ = [
    "ColumnMapping",
    "PartChange",
    "Preview",
    "PriceChange",
    "Reject",
    "Table",
    "apply",
    "export_user_data",
    "guess_mapping",
    "mapping_of",
    "preview",
    "read_table",
]
