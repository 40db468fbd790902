"""Judges JSON documents by what others publish about them.

Reads a file of lines {"by": RULES, "document": TEXT} and prints a line for each: "accepted", or
"refused: " and why. RULES is the path of a JSON Schema, or one of

  cyclonedx   the strict validator of CycloneDX 1.6
  in-toto     an in-toto Statement v1 whose predicate is SLSA Provenance v1, by their messages
"""

import json
import sys

import jsonschema
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from google.protobuf import json_format
from in_toto_attestation.predicates.provenance.v1 import provenance_pb2
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement


class Refused(Exception):
    pass


def by_cyclonedx(text):
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if error is not None:
        raise Refused(str(error))


def by_in_toto(text):
    """Every key must be one of the messages: their readers refuse others."""
    try:
        statement = json_format.Parse(text, statement_pb2.Statement())
        Statement.copy_from_pb(statement).validate()
        if statement.predicate_type != "https://slsa.dev/provenance/v1":
            raise Refused(f"predicate of type {statement.predicate_type}")
        predicate = json_format.ParseDict(
            json.loads(text)["predicate"], provenance_pb2.Provenance())
    except (json_format.ParseError, ValueError) as error:
        raise Refused(str(error)) from error
    definition = predicate.build_definition
    if not (definition.build_type and definition.external_parameters.fields
            and predicate.run_details.builder.id):
        raise Refused("what SLSA requires is missing")
    for resource in definition.resolved_dependencies:
        if len(resource.digest.get("sha256", "")) != 64:
            raise Refused(f"{resource.name} has no digest")


schemas = {}


def by_schema(path, text):
    if path not in schemas:
        with open(path, encoding="utf-8") as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        schemas[path] = jsonschema.Draft202012Validator(schema)
    error = jsonschema.exceptions.best_match(schemas[path].iter_errors(json.loads(text)))
    if error is not None:
        raise Refused(f"{error.json_path}: {error.message[:200]}")


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        jobs = [json.loads(line) for line in lines]
    for job in jobs:
        try:
            if job["by"] == "cyclonedx":
                by_cyclonedx(job["document"])
            elif job["by"] == "in-toto":
                by_in_toto(job["document"])
            else:
                by_schema(job["by"], job["document"])
            print("accepted")
        except Refused as refusal:
            print("refused: " + " ".join(str(refusal).split()))


if __name__ == "__main__":
    main()
