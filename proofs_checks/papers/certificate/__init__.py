"""About this library, no paper: what its certificates say."""
