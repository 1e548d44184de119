"""Folders of skills: found leniently, checked strictly, read only inside of themselves."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import purestep
from purestep_hosts.skill_file import SkillFileError, read_skill_file
from purestep_hosts.skill_folders import MAX_FOUND, find_skills, with_skills
from purestep_hosts.skill_lint import lint_skill
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.limits import MAX_RESULT_BYTES
from purestep_hosts.tools.toolbox import Toolbox

VERDICTS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "skills" / "verdicts.json").read_text())
"""SKILL.md files with the verdict that skills-ref 0.1.1, the specification's reference library, gave on each."""

PDF = "---\nname: pdf\ndescription: Fill in PDF forms.\n---\n# PDF\n\nRead references/forms.md.\n"


def _skill(place: Path, name: str = "pdf", text: str = PDF) -> Path:
    folder = place / name
    folder.mkdir()
    (folder / "SKILL.md").write_text(text, "utf-8", newline="")
    return folder


def _reading(folder: Path, **arguments: Any) -> dict[str, Any]:
    found = find_skills(folder)
    config = ToolConfig(session_dir=folder, names=("read_skill",), skills=found.folders())
    return Toolbox(config).run("read_skill", arguments, "key")


@pytest.mark.parametrize("case", VERDICTS, ids=[case["description"] for case in VERDICTS])
def test_strict_check_agrees_with_the_reference_library(case: dict[str, Any], tmp_path: Path) -> None:
    """Each file is valid to both, or to neither."""
    problems = lint_skill(_skill(tmp_path, case["folder"], case["text"]))
    assert case["valid"] == (not problems), problems


def test_strict_check_names_what_is_missing(tmp_path: Path) -> None:
    """A folder without a skill file, and no folder at all."""
    assert ["expected a file SKILL.md"] == lint_skill(tmp_path)
    assert ["expected a folder with a file SKILL.md"] == lint_skill(tmp_path / "none")


def test_folder_without_skills_is_named(tmp_path: Path) -> None:
    """Else a wrong path would look like one without problems."""
    found = find_skills(tmp_path)
    assert ((), 1) == (found.skills, len(found.warnings))
    assert f"{tmp_path} holds no skills: expected folders in it, each with a file SKILL.md" == found.warnings[0]


def test_folders_that_may_not_be_looked_into_leave_the_others(tmp_path: Path) -> None:
    """A skill whose folder belongs to somebody else is not found, the others are; the place itself is an error."""
    with _as_nobody() as place:
        _skill(place)
        closed = _skill(place, "closed")
        closed.chmod(0)
        assert ["pdf"] == [each.file.name for each in find_skills(place).skills]
        place.chmod(0o100)
        with pytest.raises(SkillFileError, match="cannot be read"):
            find_skills(place)
        place.chmod(0o700)
        closed.chmod(0o700)


@contextmanager
def _as_nobody() -> Iterator[Path]:
    """Return a folder of a user to whom its rights apply: root may look into everything."""
    user, name = os.geteuid(), tempfile.mkdtemp()
    place = Path(name)
    if user == 0:
        os.chown(place, _NOBODY, _NOBODY)
        os.seteuid(_NOBODY)
    try:
        yield place
    finally:
        if user == 0:
            os.seteuid(0)
        shutil.rmtree(place)


_NOBODY = 65534


def test_skills_are_found_with_what_they_say(tmp_path: Path) -> None:
    """All fields of the specification are read; values are text, as they are written."""
    more = "license: MIT\ncompatibility: Needs git\nallowed-tools: shell read_file\nmetadata:\n  version: 1.10\n"
    _skill(tmp_path, text=PDF.replace("---\n# PDF", f"{more}---\n# PDF"))
    (tmp_path / "no_skill").mkdir()
    [skill] = find_skills(tmp_path).skills
    assert {"name": "pdf", "description": "Fill in PDF forms."} == skill.entry()
    file = skill.file
    assert ("MIT", "Needs git", {"version": "1.10"}) == (file.license, file.compatibility, file.metadata)
    assert (("shell", "read_file"), "# PDF\n\nRead references/forms.md.") == (file.allowed_tools, file.body)
    assert () == find_skills(tmp_path).warnings
    assert [skill] == list(find_skills(tmp_path / "pdf").skills)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (PDF.replace("name: pdf", "name: forms"), "its name 'forms' is not that of its folder, 'pdf'"),
        (PDF.replace("name: pdf\n", ""), "it has no name, so it is called pdf"),
        (PDF.replace("Fill in", "Use it: fill in"), "a value with a colon in it stands without quotes"),
        (PDF.replace("forms.\n", "forms" + "." * 1100 + "\n", 1), "its description was cut to 1024 characters"),
        ("\ufeff" + PDF, None),
        (PDF.replace("\n", "\r\n"), None),
        (PDF.replace("\n", "\r"), None),
        (PDF.replace("---\n#", "color: red\n---\n#"), None),
        (PDF.replace("---\n#", "allowed-tools: [a, b]\n---\n#"), None),
    ],
)
def test_odd_skill_is_read_all_the_same(text: str, warning: str | None, tmp_path: Path) -> None:
    """What can be understood is taken; what is odd is named."""
    _skill(tmp_path, text=text)
    found = find_skills(tmp_path)
    assert ((f"pdf: {warning}",) if warning else (), 1) == (found.warnings, len(found.skills))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# PDF",
        "---\nname: pdf\n",
        "---\n- a\n---\n",
        "---\nname: pdf\n---\n",
        '---\nname: pdf\ndescription: "open\n---\n',
        "---\nname: pdf\ndescription: &a x\nlicense: *a\n---\n",
        "---\nname: pdf\nname: pdf\ndescription: x\n---\n",
        '---\nname: "a\\nb"\ndescription: x\n---\n',
        "---\nname: " + "a" * 200 + "\ndescription: x\n---\n",
        "---\n" + "a:\n " * 400 + "\n---\n",
        "---\ndescription: " + "[" * 5000 + "\n---\n",
    ],
)
def test_bad_skill_is_left_out_with_a_warning(text: str, tmp_path: Path) -> None:
    """The others are found as if it were not there."""
    _skill(tmp_path, "other", PDF.replace("pdf", "other"))
    _skill(tmp_path, text=text)
    found = find_skills(tmp_path)
    assert (["other"], 1) == ([skill.file.name for skill in found.skills], len(found.warnings))
    assert found.warnings[0].startswith("pdf is left out: ")


def test_first_of_two_skills_with_a_name_counts(tmp_path: Path) -> None:
    """The second is named in a warning."""
    _skill(tmp_path, "a", PDF)
    _skill(tmp_path, "b", PDF)
    found = find_skills(tmp_path)
    assert ["a"] == [skill.folder.name for skill in found.skills]
    assert "b is left out: another skill is named 'pdf'" in found.warnings


def test_most_skills_are_bounded(tmp_path: Path) -> None:
    """Past the bound they are counted and not read, and a definition with the others loads."""
    for number in range(70):
        _skill(tmp_path, f"s{number}", PDF.replace("pdf", f"s{number}"))
    found = find_skills(tmp_path)
    assert MAX_FOUND == len(found.skills)
    assert ("10 more are left out, which were not read: at most 60 skills are offered",) == found.warnings
    reader = Toolbox(ToolConfig(session_dir=tmp_path, names=("read_skill",), skills=found.folders())).specs()[0]
    assert 60 == len(purestep.Agent.load(with_skills({"tools": []}, found, reader)).definition.skills)


def test_place_that_is_no_folder_is_an_error(tmp_path: Path) -> None:
    """The person who named it has to know."""
    with pytest.raises(SkillFileError):
        find_skills(tmp_path / "none")


def test_instructions_come_without_frontmatter_and_with_the_files(tmp_path: Path) -> None:
    """Links, hidden files and the skill file itself are not listed."""
    folder = _skill(tmp_path)
    (folder / "references").mkdir()
    (folder / "references" / "forms.md").write_text("Forms have fields.")
    (folder / ".hidden").write_text("x")
    (folder / ".env").write_text("x")
    (folder / "link").symlink_to(folder / "references" / "forms.md")
    result = _reading(tmp_path, name="pdf")
    expected = "# PDF\n\nRead references/forms.md.\n\nFiles of this skill, read with path:\nreferences/forms.md"
    assert {"ok": True, "output": expected} == result
    assert {"ok": True, "output": "Forms have fields."} == _reading(tmp_path, name="pdf", path="references/forms.md")


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "/etc/passwd",
        "out",
        "folder_out/secret.txt",
        "a\0b",
        "none.md",
        "references",
        ".env",
        "",
        "big",
    ],
)
def test_nothing_outside_of_the_folder_is_read(path: str, tmp_path: Path) -> None:
    """Parents, absolute paths, links that lead out, NUL, hidden and huge files are refused."""
    place = tmp_path / "skills"
    place.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    folder = _skill(place)
    (folder / "references").mkdir()
    (folder / "out").symlink_to(tmp_path / "secret.txt")
    (folder / "folder_out").symlink_to(tmp_path)
    (folder / ".env").write_text("KEY=secret")
    with (folder / "big").open("wb") as file:
        os.truncate(file.fileno(), MAX_RESULT_BYTES + 1)
    result = _reading(place, name="pdf", path=path)
    assert not result["ok"]
    assert "secret" not in str(result).replace("secret.txt", "")


def test_skill_file_that_is_a_link_out_is_left_out(tmp_path: Path) -> None:
    """Its text would be another folder's."""
    (tmp_path / "secret.md").write_text(PDF)
    folder = tmp_path / "skills" / "pdf"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").symlink_to(tmp_path / "secret.md")
    found = find_skills(tmp_path / "skills")
    assert ((), 1) == (found.skills, len(found.warnings))


def test_unknown_name_is_told_with_those_there_are(tmp_path: Path) -> None:
    """The model can correct itself."""
    _skill(tmp_path)
    assert "no skill has that name; there are pdf" == _reading(tmp_path, name="doc")["error"]


def test_skill_that_is_gone_is_a_failure(tmp_path: Path) -> None:
    """Between the start of a run and its use the folder may change."""
    folder = _skill(tmp_path)
    found = find_skills(tmp_path)
    toolbox = Toolbox(ToolConfig(session_dir=tmp_path, names=("read_skill",), skills=found.folders()))
    (folder / "SKILL.md").write_text("no skill any more")
    assert not toolbox.run("read_skill", {"name": "pdf"}, "key")["ok"]
    (folder / "SKILL.md").unlink()
    assert not toolbox.run("read_skill", {"name": "pdf"}, "key")["ok"]


def test_reading_tool_needs_no_approval_and_only_reads(tmp_path: Path) -> None:
    """Whatever a skill says it allows, it changes nothing of the tools."""
    _skill(tmp_path, text=PDF.replace("---\n#", "allowed-tools: shell\n---\n#"))
    found = find_skills(tmp_path)
    toolbox = Toolbox(ToolConfig(session_dir=tmp_path, names=("read_skill", "shell"), skills=found.folders()))
    specs = {spec["name"]: spec for spec in toolbox.specs()}
    assert ("auto", True) == (specs["read_skill"]["approval"], specs["read_skill"]["annotations"]["readOnlyHint"])
    agent = purestep.Agent.load(with_skills({"tools": [specs["shell"]]}, found, specs["read_skill"]))
    assert "ask" == agent.tools["shell"].approval


def test_definition_without_skills_stays_as_it_is(tmp_path: Path) -> None:
    """Also one that the core will refuse."""
    assert {"tools": []} == with_skills({"tools": []}, find_skills(tmp_path), {})
    _skill(tmp_path)
    assert {"tools": 3} == with_skills({"tools": 3}, find_skills(tmp_path), {})


@pytest.mark.parametrize("repeat", ["---\n", "a: b: c\n", "a: b:", "#", '"', "- "])
def test_long_hostile_files_are_read_to_an_end(repeat: str) -> None:
    """Reading takes time in proportion to the file, whatever it holds."""
    with pytest.raises(SkillFileError):
        read_skill_file("---\n" + repeat * 20_000 + "\n---\n", "x")
