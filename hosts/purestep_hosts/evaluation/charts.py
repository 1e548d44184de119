"""The charts of the page, as SVG that stands in it: no script, no request, and the page's own colours."""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from purestep_hosts.evaluation.figures import VariantFigures, quantile
from purestep_hosts.extras import EVAL
from purestep_hosts.show.sanitize import one_line

with EVAL:
    import pygal  # type: ignore[import-untyped]
    from pygal.style import Style  # type: ignore[import-untyped]

# The library leaves an import hook for its maps, of which Python 3.11 warns at every later import of the process.
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "PluginImportFixer"]

MAX_VARIANTS: Final = 40
"""Rows of a chart: more cannot be read, and the table has all of them."""
_WIDTH: Final = 480
"""Units of the view box: a phone shows them at most a third smaller, so that texts can be read."""
_ROW_HEIGHT: Final = 34
_FRAME_HEIGHT: Final = 50
_TICKS: Final = 6
_LABEL_CHARS: Final = 26
_COLOURS: Final = 8
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_STYLE: Final = Style(
    background="transparent",
    plot_background="transparent",
    foreground="var(--ink)",
    foreground_strong="var(--ink)",
    foreground_subtle="var(--quiet)",
    guide_stroke_color="var(--line)",
    major_guide_stroke_color="var(--line)",
    colors=tuple(f"var(--c{number})" for number in range(1, _COLOURS + 1)),
    font_family="inherit",
    label_font_size=12,
    major_label_font_size=12,
    value_font_size=12,
    opacity="1",
    opacity_hover="1",
    transition="0",
)


class Chart(NamedTuple):
    """A chart: its title, the names of its series in the order of the page's colours, and the drawing."""

    title: str
    series: tuple[str, ...]
    svg: str


def success_chart(variants: Sequence[VariantFigures]) -> Chart:
    """Return the shares of right runs in percent, with their intervals."""
    chart = _chart("success", pygal.HorizontalBar, variants, range=(0, 100), y_labels=range(0, 101, 20))
    chart.add("right", [_share(figures) for figures in _shown(variants)])
    return Chart("Runs that were right, in percent, with 95 % intervals", (), _svg(chart))


def causes_chart(variants: Sequence[VariantFigures]) -> Chart:
    """Return how many runs of each variant were wrong, by cause; of many causes the last ones are one series."""
    counted = sum((figures.causes for figures in variants), Counter[str]())
    causes = [cause for cause, _ in counted.most_common()]
    named, others = (causes, []) if len(causes) <= _COLOURS else (causes[: _COLOURS - 1], causes[_COLOURS - 1 :])
    most = max(figures.causes.total() for figures in variants)
    step = max(1, math.ceil(most / _TICKS))
    chart = _chart("causes", pygal.HorizontalStackedBar, variants, y_labels=range(0, most + step, step))
    for cause in named:
        chart.add(cause, [figures.causes[cause] for figures in _shown(variants)])
    if others:
        chart.add("others", [sum(figures.causes[cause] for cause in others) for figures in _shown(variants)])
    return Chart("Runs that were wrong, by cause", (*named, *(["others"] if others else [])), _svg(chart))


def times_chart(variants: Sequence[VariantFigures]) -> Chart:
    """Return the median and the 90th percentile of the runs' times, in seconds."""
    chart, names = _chart("times", pygal.HorizontalBar, variants), ("median", "90th percentile")
    for name, share in zip(names, (0.5, 0.9), strict=True):
        chart.add(name, [quantile(figures.times, share) / 1000 for figures in _shown(variants)])
    return Chart("Seconds a run", names, _svg(chart))


def tokens_chart(variants: Sequence[VariantFigures]) -> Chart:
    """Return the tokens that a run reads and writes, on average."""
    chart, names = _chart("tokens", pygal.HorizontalStackedBar, variants), ("read", "written")
    for name, member in zip(names, ("prompt_tokens", "completion_tokens"), strict=True):
        chart.add(name, [round(figures.mean(member), 1) for figures in _shown(variants)])
    return Chart("Tokens a run, on average", names, _svg(chart))


def short_name(variant: str, variants: Sequence[str]) -> str:
    """Return a variant's name without the model, where all have the same one."""
    model, _, rest = variant.partition(" ")
    same = all(each.partition(" ")[0] == model for each in variants)
    name = rest if same and rest and len(variants) > 1 else variant
    return name if len(name) <= _LABEL_CHARS else f"{name[: _LABEL_CHARS - 1]}…"


def _share(figures: VariantFigures) -> dict[str, Any]:
    share, low, high = (100 * part for part in figures.interval)
    return {"value": round(share, 1), "ci": {"low": low, "high": high}}


def _shown(variants: Sequence[VariantFigures]) -> list[VariantFigures]:
    """Return the variants from the last to the first, since bars are drawn upwards."""
    return list(reversed(variants[:MAX_VARIANTS]))


def _chart(name: str, kind: Any, variants: Sequence[VariantFigures], **options: Any) -> Any:
    shown, names = _shown(variants), [figures.variant for figures in variants]
    chart = kind(
        style=_STYLE,
        js=(),
        explicit_size=False,
        pretty_print=False,
        show_legend=False,
        show_y_guides=True,
        margin=4,
        width=_WIDTH,
        height=_FRAME_HEIGHT + _ROW_HEIGHT * len(shown),
        **options,
    )
    chart.uuid = name
    chart.add_xml_filter(_without_scripts)
    chart.x_labels = [one_line(short_name(figures.variant, names)) for figures in shown]
    return chart


def _without_scripts(root: Any) -> Any:
    """Remove what the library adds for its own scripts, which the page does not have."""
    for parent in list(root.iter()):
        for child in [each for each in parent if str(each.tag).rpartition("}")[2] == "script"]:
            parent.remove(child)
    return root


def _svg(chart: Any) -> str:
    text: str = chart.render(is_unicode=True, disable_xml_declaration=True)
    return _COMMENT.sub("", text)
