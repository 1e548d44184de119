"""The JavaScript and TypeScript of the pages as modules that tsc reads, against the types of the built package."""

import json
import re
import subprocess
from pathlib import Path

from tests.docs.checked_programs import Errors, by_page
from tests.docs.test_docs import PAGES, ROOT, page_name

WEB = ROOT / "web"
KINDS = {"js": "js", "javascript": "js", "jsx": "jsx", "ts": "ts", "tsx": "tsx"}
OPTIONS = {
    "target": "es2022",
    "lib": ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    "types": ["node", "vite/client"],  # which tells of styles and of addresses of files
    "jsx": "react-jsx",
    "noEmit": True,
    "strict": True,
    "allowJs": True,
    "checkJs": True,
    "skipLibCheck": True,
    "allowImportingTsExtensions": True,
}
RESOLUTIONS = {"node16": {"module": "node16"}, "bundler": {"module": "esnext", "moduleResolution": "bundler"}}
"""How programs find the types of the package: as Node does, and as bundlers do."""

BESIDE = {
    "./model.js": ("model.d.ts", 'export const model: import("purestep").Model;\n'),
    "./agent.js": ("agent.d.ts", 'export const ready: Promise<import("purestep").Agent>;\n'),
    "./chat.jsx": ("chat.d.ts", 'export const App: import("react").ComponentType;\n'),
}
"""What the pages leave to the reader, by what they import it as."""

NEXT = """declare module "next/dynamic" {
  export default function dynamic<P>(
    load: () => Promise<import("react").ComponentType<P>>, options: { ssr: boolean }
  ): import("react").ComponentType<P>;
}
"""
"""The one package of the pages that is not among those of web/."""

DECLARED = re.compile(
    r"^(?:export )?(?:default )?(?:async )?(?:const|let|function|class) (\w+)|^import .*\{(.*)\}", re.MULTILINE
)


def page_modules() -> dict[str, str]:
    """Return the modules of all pages by the name of the page, `#`, the line and the kind of file.

    A block goes on with the one before it in the same language, unless it declares a name again. Code stands on the
    line that it has in its page.
    """
    modules: dict[str, dict[int, str]] = {}
    for page in PAGES:
        lines, last = page.read_text(encoding="utf-8").splitlines(), dict[str, tuple[str, set[str]]]()
        for number, text in enumerate(lines):
            found = re.match(r"^```(\w+)$", text)
            if found is None or found[1] not in KINDS:
                continue
            code = lines[number + 1 : lines.index("```", number)]
            kind, names = KINDS[found[1]], declared("\n".join(code))
            name, before = last.get(kind, ("", names))
            if before & names:
                name, before = f"{page_name(page)}#{number + 1}.{kind}", set()
            last[kind] = name, before | names
            modules.setdefault(name, {}).update(enumerate(code, number + 1))
    return {name: "".join(code.get(at, "") + "\n" for at in range(max(code) + 1)) for name, code in modules.items()}


def declared(code: str) -> set[str]:
    """Return the names that a module declares and imports."""
    found = DECLARED.findall(code)
    words = [word for one, several in found for word in (one, *re.split(r",|\btype\b", several))]
    return {*map(str.strip, words)} - {""}


def found_by_tsc(node: str, folder: Path, modules: dict[str, str], resolution: str) -> Errors:
    """Return what tsc finds in strict mode in modules, each in a folder of its own.

    JavaScript has no place for the types of parameters, so that one without a type is no error there (TS7...).
    """
    (folder / "node_modules").mkdir()
    for package in (WEB / "node_modules").iterdir():
        (folder / "node_modules" / package.name).symlink_to(package)
    (folder / "node_modules" / "purestep").symlink_to(WEB)
    (folder / "package.json").write_text('{"type":"module"}')
    files = {}
    for name, code in modules.items():
        place = folder / re.sub(r"\W", "_", name)
        place.mkdir()
        file = place / f"program.{name.rpartition('.')[2]}"
        file.write_text(code + "export {};\n", encoding="utf-8")
        files[file.relative_to(folder).as_posix()] = name
        for beside, text in beside_of(code, modules):
            (place / beside).write_text(text, encoding="utf-8")
    (folder / "next.d.ts").write_text(NEXT)
    options = {**OPTIONS, **RESOLUTIONS[resolution]}
    settings = {"compilerOptions": options, "include": ["*.d.ts", "*/program.*"]}
    (folder / "tsconfig.json").write_text(json.dumps(settings))
    command = [node, str(WEB / "node_modules/typescript/bin/tsc"), "--project", str(folder), "--pretty", "false"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 2), done.stdout + done.stderr
    found = re.findall(r"^(.+?)\((\d+),\d+\): error (.*)", done.stdout, re.MULTILINE)
    assert found or done.returncode == 0, done.stdout + done.stderr
    untyped = [file for file in files if file.endswith(("js", "jsx"))]
    return by_page(
        files,
        [(file, int(line), text) for file, line, text in found if not (file in untyped and text.startswith("TS7"))],
    )


def beside_of(code: str, modules: dict[str, str]) -> list[tuple[str, str]]:
    """Return the files that a module imports: those of a table, and the chat of docs/serve.md."""
    wanted = set(re.findall(r'"(\./\w+\.\w+)"', code))
    (chat,) = [text for name, text in modules.items() if name.startswith("docs/serve.md#")]
    return [file for imported, file in {**BESIDE, "./chat.tsx": ("chat.tsx", chat)}.items() if imported in wanted]
