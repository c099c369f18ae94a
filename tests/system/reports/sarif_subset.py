"""The part of SARIF 2.1.0 that plumb writes, as a JSON Schema: objects, their properties and which must be there, after
the sections of the OASIS specification that are named. Stricter than the format in one way: what plumb does not write
is an error. official.py holds reports against the whole schema."""


def an_object(required, **properties):
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def a_list(items, at_least=0, unique=False):
    return {"type": "array", "items": items, "minItems": at_least, "uniqueItems": unique}


TEXT = {"type": "string", "minLength": 1}
ANY_TEXT = {"type": "string"}
FREE = {"type": "object"}
POSITIVE = {"type": "integer", "minimum": 1}
INDEX = {"type": "integer", "minimum": 0}
TIME = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$"}
URI = {"type": "string", "pattern": "^([A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-F]{2})+$"}

MESSAGE = an_object(["text"], text=TEXT)  # 3.11
MULTIFORMAT = an_object(["text"], text=TEXT, markdown=TEXT)  # 3.12
ARTIFACT_LOCATION = an_object(["uri"], uri=URI, uriBaseId=TEXT, index=INDEX)  # 3.4
BASE = an_object(["uri"], uri={"type": "string", "pattern": "^file:///(.*/)?$"}, description=MESSAGE)  # 3.14.14
REGION = an_object(["startLine"], startLine=POSITIVE, startColumn=POSITIVE,  # 3.30
                   snippet=an_object(["text"], text=ANY_TEXT))
PHYSICAL = an_object(["artifactLocation"], artifactLocation=ARTIFACT_LOCATION, region=REGION)  # 3.29
LOGICAL = an_object(["name"], name=TEXT, kind={"enum": ["function"]})  # 3.33
LOCATION = an_object([], id=POSITIVE, physicalLocation=PHYSICAL, logicalLocations=a_list(LOGICAL, unique=True),  # 3.28
                     message=MESSAGE)
STACK = an_object(["frames"], message=MESSAGE, frames=a_list(an_object([], location=LOCATION)))  # 3.44, 3.45
STEP = an_object(["location"], location=LOCATION, nestingLevel=INDEX, executionOrder=INDEX,  # 3.38
                 importance={"enum": ["important", "essential", "unimportant"]})
CODE_FLOW = an_object(["threadFlows"], threadFlows=a_list(an_object(["locations"], locations=a_list(STEP, 1)), 1))  # 3.36
SUPPRESSION = an_object(["kind"], kind={"enum": ["inSource", "external"]},  # 3.35
                        status={"enum": ["accepted", "underReview", "rejected"]}, justification=ANY_TEXT, location=LOCATION)
ATTACHMENT = an_object(["artifactLocation"], description=MESSAGE, artifactLocation=ARTIFACT_LOCATION)  # 3.21
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RESULT = an_object(  # 3.27
    ["ruleId", "message", "locations", "partialFingerprints", "suppressions"],
    ruleId=TEXT, ruleIndex=INDEX, kind={"enum": ["fail"]}, level=LEVEL, message=MESSAGE,
    locations=a_list(LOCATION, 1), relatedLocations=a_list(LOCATION, 1, unique=True), stacks=a_list(STACK, 1, unique=True),
    codeFlows=a_list(CODE_FLOW, 1), partialFingerprints={"type": "object", "additionalProperties": TEXT, "minProperties": 1},
    attachments=a_list(ATTACHMENT, 1, unique=True), suppressions=a_list(SUPPRESSION, unique=True), properties=FREE)
RULE = an_object(  # 3.49
    ["id", "shortDescription", "help"], id=TEXT, name={"type": "string", "pattern": "^[A-Z][A-Za-z]*$"},
    shortDescription=MULTIFORMAT, fullDescription=MULTIFORMAT, help=MULTIFORMAT,
    defaultConfiguration=an_object(["level"], level=LEVEL),
    properties=an_object([], tags=a_list(TEXT, unique=True), precision=TEXT))
DRIVER = an_object(["name"], name=TEXT, version=TEXT, rules=a_list(RULE, unique=True),  # 3.19
                   language={"type": "string", "pattern": "^[a-z]{2}(-[A-Z]{2})?$"})
NOTIFICATION = an_object(["message"], message=MESSAGE, level=LEVEL)  # 3.58
INVOCATION = an_object(  # 3.20
    ["executionSuccessful"], executionSuccessful={"type": "boolean"}, commandLine=TEXT, arguments=a_list(ANY_TEXT),
    startTimeUtc=TIME, endTimeUtc=TIME, exitCode={"type": "integer"}, exitCodeDescription=ANY_TEXT,
    workingDirectory=ARTIFACT_LOCATION, toolExecutionNotifications=a_list(NOTIFICATION))
ARTIFACT = an_object(["location"], location=ARTIFACT_LOCATION, sourceLanguage={"enum": ["c", "cplusplus"]},  # 3.24
                     roles=a_list({"enum": ["analysisTarget", "tracedFile", "attachment"]}, unique=True))
RUN = an_object(  # 3.14
    ["tool", "results"], tool=an_object(["driver"], driver=DRIVER), invocations=a_list(INVOCATION),
    originalUriBaseIds={"type": "object", "additionalProperties": BASE}, artifacts=a_list(ARTIFACT, unique=True),
    results=a_list(RESULT), columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]})
SCHEMA = {  # 3.13
    "$schema": "http://json-schema.org/draft-07/schema#",
    **an_object(["version", "runs"], version={"const": "2.1.0"}, runs=a_list(RUN, 1),
                **{"$schema": {"type": "string", "pattern": "/sarif-schema-2\\.1\\.0\\.json$"}}),
}


def check_references(log):
    """What no schema says: indices and base names lead somewhere, and files are listed once."""
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        artifacts = run["artifacts"]
        places = [(a["location"]["uri"], a["location"].get("uriBaseId")) for a in artifacts]
        assert len(set(places)) == len(places), f"files are listed twice: {places}"
        for result in run["results"]:
            if "ruleIndex" in result:
                assert rules[result["ruleIndex"]]["id"] == result["ruleId"], f"{result['ruleId']} points to another rule"
        prints = [tuple(sorted(r["partialFingerprints"].items())) for r in run["results"]]
        assert len(set(prints)) == len(prints), "two results have the same fingerprint"
        for location in every(run, "artifactLocation"):
            if "index" in location:
                listed = artifacts[location["index"]]["location"]
                assert listed["uri"] == location["uri"], f"{location} points to {listed}"
        for location in every(run, "artifactLocation"):
            assert location.get("uriBaseId") is None or location["uriBaseId"] in run["originalUriBaseIds"], f"{location}"


def every(value, name):
    """All values of this name, at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == name:
                yield inner
            yield from every(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from every(inner, name)
