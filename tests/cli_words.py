"""Words and files of the command line that several tests share."""

DATA = "+1 1:0.6 2:0.8\n-1 1:1\n+1 2:0.5\n"
FILES = {
    "data.txt": DATA,
    "labels12.txt": "1 1:1\n2 1:2\n2 1:3\n",
    "labels01.txt": "1 1:1\n0 1:2\n",
    "one.txt": "1 1:1\n1 2:1\n",
    "token.txt": "1 1:1\n1 2:x\n",
    "zero.txt": "1 0:1\n",
}
SOLVE = ("solve", "data.txt", "--method", "sdca", "--loss", "squared", "--lam", "1", "--tol", "1e-3")


def changed(option, value, words=SOLVE):
    """The words with one option's value replaced or added."""
    words = list(words)
    if option in words:
        words[words.index(option) + 1] = value
    else:
        words += [option, value]
    return tuple(words)
