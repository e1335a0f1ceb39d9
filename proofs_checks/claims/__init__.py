"""One module for each part of a paper; every module registers its claims with ``@claim``."""
