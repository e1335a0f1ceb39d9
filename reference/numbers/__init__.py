"""Arithmetic generic in the number, and intervals with outward rounding. Nothing here knows of losses or methods.

May import: nothing of dualgap.
"""
