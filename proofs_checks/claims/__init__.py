"""What a claim is: the registry, instances and their context, relations, one run's randomness and judgement. The claims
themselves live in ``papers``.

May import: engines, reference.
"""
