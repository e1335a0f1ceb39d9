"""The wire format: schema, hexadecimal floats, the process at the other end, comparison. It knows no method."""
