#!/usr/bin/env python3
"""Holds SARIF reports against the official schema of SARIF 2.1.0, which is fetched from the npm registry (the package
@microsoft/jest-sarif carries it). Needs the network once; then the schema lies in the directory that is named.

    official.py DIRECTORY REPORT…      DIRECTORY keeps the schema
"""
import hashlib
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile

import jsonschema

PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
MEMBER = "package/lib/schemas/sarif-2.1.0-rtm.5.json"
SHA256 = "2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8"


def schema(directory):
    """The schema's text, from the directory or from the registry."""
    kept = directory / "sarif-schema-2.1.0.json"
    if not kept.exists():
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as fetched:
            subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=fetched, check=True, stdout=subprocess.DEVNULL)
            with tarfile.open(next(pathlib.Path(fetched).glob("*.tgz"))) as package:
                kept.write_bytes(package.extractfile(MEMBER).read())
    content = kept.read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        sys.exit(f"{kept} is not the schema that is expected; remove it to fetch it again")
    return json.loads(content)


def problems(directory, log):
    """What is wrong with a report, a line each."""
    official = schema(directory)
    validator = jsonschema.validators.validator_for(official)(official, format_checker=jsonschema.FormatChecker())
    return [f"{'/'.join(map(str, problem.absolute_path))}: {problem.message[:300]}" for problem in validator.iter_errors(log)]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    failed = 0
    for name in sys.argv[2:]:
        found = problems(pathlib.Path(sys.argv[1]), json.loads(pathlib.Path(name).read_text()))
        print("\n".join(f"{name}: {problem}" for problem in found[:10] or ["valid"]))
        failed += bool(found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
