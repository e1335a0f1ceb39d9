"""Packages for other people's papers, methods and losses to begin with: a folder of files for each kind, and what
writes them under another name. Each is a package that works as it stands; only its name is replaced.
"""
