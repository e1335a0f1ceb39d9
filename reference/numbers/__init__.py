"""Arithmetic generic in the number, exp and logarithms of doubles, and intervals with outward rounding. Nothing here
knows of losses or methods.

May import: nothing of dualgap.
"""
