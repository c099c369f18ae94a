"""What a command printed with --json, held against docs/result.schema.json: no runner reads an object that is not one of it."""
import json
import pathlib

import jsonschema

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs" / "result.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def complaints(found):
    """What the schema finds wrong, in a line each."""
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}" for error in VALIDATOR.iter_errors(found)]


def result_object(text):
    """The object that standard output is, as text or bytes. Raises AssertionError for what is none of the schema."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise AssertionError(f"the output is no object: {error}\n{text[:1000]}") from error
    if wrong := complaints(found):
        raise AssertionError("not as docs/result.schema.json has it:\n" + "\n".join(wrong) + "\n" + json.dumps(found)[:3000])
    return found
