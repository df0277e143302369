"""Prints 1 or 0 for each document of a JSON array of texts: does the schema take it?

    accepts.py SCHEMA < TEXTS
"""

import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
validator = jsonschema.Draft202012Validator(schema)
validator.check_schema(schema)
for text in json.load(sys.stdin):
    print(int(validator.is_valid(json.loads(text))))
