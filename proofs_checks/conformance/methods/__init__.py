"""What the conformance suite knows of each method: its specification, citations, data. The methods themselves live in
the reference."""
