"""Prints how python-slugify, by which Home Assistant names entities, writes each argument."""

import json
import sys

from slugify import slugify

print(json.dumps([slugify(text, separator="_") for text in sys.argv[1:]]))
