"""The dialects of model families, and `auto`, which reads them all; the kernel imports them once one is needed.

`families` makes a dialect of each family: `family_forms` holds how a family writes calls, `family_markers` by which
markers they are found, `drifted_markers` in which other spellings, `prompted_calls` and `unmarked_calls` how calls
begin that have no markers of a family, `tool_tags` the tags of ambi's tool parser; the room `call_readers` reads what
is between. `stray_markup` looks at what is left as an answer. `canonical` is the fast path.
README.md says how a text is read where two readings are possible.
"""

from .families import DIALECTS, checked_answer
from .family_forms import FAMILIES
