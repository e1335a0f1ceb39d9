"""The parts of a claim: registry, instances and their context, relations, randomness and judgement of a run, plugins.
The claims themselves are in ``papers``.

May import: engines, fast, reference.
"""
