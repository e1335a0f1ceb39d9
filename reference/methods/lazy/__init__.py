"""The forms with O(nnz of the row) a step, one file for each method whose paper writes a dense iteration. Methods as
printed live in the folder above."""
