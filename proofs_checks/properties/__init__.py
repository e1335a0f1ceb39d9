"""The parts of property tests: methods under test, runs side by side, statistics, and files of failures that can be
replayed. The tests themselves live in ``tests/properties``.

May import: auditing, claims, engines, strategies, fast, reference.
"""
