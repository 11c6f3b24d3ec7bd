"""Prints what line-protocol-parser, of InfluxDB's lines, reads from the standard input."""

import json
import sys

from line_protocol_parser import parse_line

print(json.dumps([parse_line(line) for line in sys.stdin.read().splitlines()]))
