"""What a claim is: the registry, instances and their context, relations, one run's randomness and judgement, other
people's packages. The claims themselves live in ``papers``.

May import: engines, fast, reference.
"""
