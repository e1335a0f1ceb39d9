"""``python -m dualgap`` and the command ``dualgap``."""

import sys


def run() -> int:
    """Run the command. An interruption ends it with one line also while its modules are imported."""
    try:
        from dualgap.proofs_checks.cli.main import main

        return main()
    except KeyboardInterrupt:
        print("dualgap: interrupted before there was a result", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(run())
