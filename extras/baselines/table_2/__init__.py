"""ASPDC, Table 2: its rows about methods of this package."""
