"""An output file is replaced as a whole, and nothing else is written to, removed or made readable on the way."""

import os
import stat

import pytest

from dualgap.fast.data.atomic_file import appending, partial, replacing, write_text
from dualgap.reference.problem.validate import NotWritten

LEFT = {
    "symbolic link": os.symlink,
    "dangling link": lambda victim, name: os.symlink(f"{victim}-none", name),
    "hard link": os.link,
    "pipe": lambda victim, name: os.mkfifo(name),
}


@pytest.mark.parametrize("kind", LEFT)
def test_what_lies_under_the_partial_name_is_not_written_to(tmp_path, kind):
    victim, path = tmp_path / "victim", tmp_path / "sweep.html"
    victim.write_text("precious")
    LEFT[kind](victim, partial(path))
    assert write_text(path, "page")
    assert (victim.read_text(), path.read_text()) == ("precious", "page")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["sweep.html", "victim"]


def test_the_control_a_writer_that_follows_links_overwrites_the_victim(tmp_path):
    (tmp_path / "victim").write_text("precious")
    os.symlink(tmp_path / "victim", tmp_path / "page.part")
    with open(tmp_path / "page.part", "wb") as file:
        file.write(b"page")
    assert (tmp_path / "victim").read_text() == "page"


@pytest.mark.parametrize("writer", [replacing, appending])
@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "link to a device"])
def test_only_regular_files_are_replaced_and_the_error_names_the_file(tmp_path, writer, kind):
    path = tmp_path / "out"
    {
        "folder": path.mkdir,
        "pipe": lambda: os.mkfifo(path),
        "device": lambda: None,
        "link to a device": lambda: path.symlink_to("/dev/null"),
    }[kind]()
    path = "/dev/null" if kind == "device" else path
    with pytest.raises(OSError, match="is not a regular file") as found, writer(path):
        raise AssertionError("it was opened")
    assert found.value.filename == os.fspath(path) and stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert not os.path.exists(partial(os.fspath(path)))


def test_a_link_is_replaced_and_never_appended_to(tmp_path):
    victim, path = tmp_path / "victim", tmp_path / "link"
    victim.write_text("precious")
    path.symlink_to(victim)
    with pytest.raises(OSError) as found, appending(path):
        raise AssertionError("it was opened")
    assert found.value.filename == str(path)
    assert write_text(path, "page") and not path.is_symlink() and victim.read_text() == "precious"


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_file_is_private_until_it_is_complete(tmp_path, mask):
    before = os.umask(mask)
    try:
        with replacing(tmp_path / "file"):
            assert stat.S_IMODE(os.stat(tmp_path / "file.part").st_mode) == 0o600
    finally:
        assert os.umask(before) == mask
    assert stat.S_IMODE(os.stat(tmp_path / "file").st_mode) == 0o666 & ~mask


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_an_error_of_writing_names_the_file(tmp_path):
    path = os.fspath(tmp_path / "file")
    with (
        pytest.raises(OSError, match="No space left") as found,
        replacing(path),
        open("/dev/full", "wb", buffering=0) as full,
    ):
        full.write(b"x")  # an error without a name, as a full disk raises it
    assert found.value.filename == path and os.listdir(tmp_path) == []
    with pytest.warns(NotWritten, match="none/file was not written"):
        assert not write_text(tmp_path / "none" / "file", "text")
