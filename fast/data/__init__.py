"""Reading, preparing, generating and mapping data sets. Nothing here is compiled or solves anything.

May import: reference.
"""
