"""Have the bundled model decide about requests, or print the curve of records."""

import argparse
from pathlib import Path

import msgspec

from tools.calibrating.curve import Record, curve, table


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tools.calibrating", description=__doc__)
    acts = parser.add_subparsers(dest="act", required=True)
    decide = acts.add_parser("decide", help="write a record for each request")
    decide.add_argument("requests", type=Path)
    decide.add_argument("records", type=Path)
    acts.add_parser("curve", help="print the curve").add_argument("records", type=Path)
    options = parser.parse_args()
    if options.act == "decide":
        _decide(options.requests, options.records)
    else:
        print(table(curve(msgspec.json.Decoder(Record).decode_lines(options.records.read_bytes()))))


def _decide(requests: Path, records: Path) -> None:
    from purestep_hosts.download import default_model
    from purestep_hosts.models.adapters import SHIPPED, TAUGHT_NAME
    from purestep_hosts.models.llamacpp import LlamaCppModel
    from tools.calibrating.decisions import Request, records_of

    model = LlamaCppModel(default_model(), name=TAUGHT_NAME, adapter=SHIPPED[TAUGHT_NAME].path)
    given = msgspec.json.Decoder(Request).decode_lines(requests.read_bytes())
    with records.open("wb") as file:
        for record in records_of(model, given):
            file.write(msgspec.json.encode(record) + b"\n")
            file.flush()
    model.close()


if __name__ == "__main__":
    main()
