"""Tables as pandas data frames: the only part of the package that knows pandas.

pandas is imported when a frame is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from jokersim.cards import TRUMPS
from jokersim.schema import Column

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["columns_to_pandas", "to_pandas"]


def to_pandas(table: pa.Table) -> pd.DataFrame:
    """Turn a table read from a dataset into a data frame.

    Integer columns keep their width; ``trump`` becomes a categorical with the categories
    S H D C NT, in that order, whatever rows there are.
    """
    import pandas as pd

    frame: pd.DataFrame = table.to_pandas(split_blocks=True)
    for name in frame.columns:
        if isinstance(frame[name].dtype, pd.CategoricalDtype):
            frame[name] = frame[name].cat.set_categories(list(TRUMPS))
    return frame


def columns_to_pandas(
    columns: Sequence[Column], batches: Sequence[Mapping[str, npt.NDArray[Any]]]
) -> pd.DataFrame:
    """Join batches of arrays that were kept in memory into the same data frame.

    Parameters
    ----------
    columns : sequence of Column
        The table's columns; a ``string`` column comes as int8 indices into the trumps.
    batches : sequence of mappings
        Arrays by column name, in the order of their rows. They are copied.
    """
    import pandas as pd

    joined: dict[str, Any] = {}
    for column in columns:
        parts = [batch[column.name] for batch in batches]
        kind = "int8" if column.type == "string" else column.type
        values = np.concatenate(parts) if parts else np.empty(0, kind)
        if column.type == "string":
            codes = values.astype(np.int8, copy=False)
            joined[column.name] = pd.Categorical.from_codes(codes, categories=pd.Index(TRUMPS))
        else:
            joined[column.name] = values
    return pd.DataFrame(joined)
