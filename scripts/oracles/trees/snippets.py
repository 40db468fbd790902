"""The blocks of specs/examples/sklearn/README.md, to be run as they stand."""
import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[3] / "specs/examples/sklearn/README.md"


def blocks() -> dict[str, str]:
    """The block of code of each section that has one."""
    found = {}
    for section in PAGE.read_text().split("\n## ")[1:]:
        codes = re.findall(r"```python\n(.*?)```", section, re.S)
        if codes:
            title, (found_code,) = section.split("\n", 1)[0], codes
            assert found_code.count("\n") <= 25, f"{title}: more than 25 lines"
            found[title] = found_code
    return found


def save(title: str, estimator, names: list[str], folder: pathlib.Path, **changed: str) -> None:
    """Runs a block; `changed` has other values for the names that it sets in a line of its own."""
    code = blocks()[title]
    for name, value in changed.items():
        code, count = re.subn(rf"^{name} = \S+", f"{name} = {value}", code, flags=re.M)
        assert count == 1, f"{title}: sets {name} {count} times"
    exec(compile(code, f"{PAGE.name}: {title}", "exec"), {"estimator": estimator, "names": names, "folder": str(folder)})
