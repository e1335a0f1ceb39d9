"""The conformance suite's description of each method: specification, citations, data. The methods themselves are in the
reference."""
