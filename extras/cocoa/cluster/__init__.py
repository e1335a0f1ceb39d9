"""CoCoA+ over processes and machines: what a worker does with its part, how parts are reached, and the run that drives
them.
"""
