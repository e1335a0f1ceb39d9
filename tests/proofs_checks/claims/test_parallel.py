"""Work side by side: every item once, in whatever order; what is finished is never lost."""

import importlib.util
import os
import signal
import time

import pytest
from support import refuses

from dualgap.proofs_checks.claims import parallel
from dualgap.proofs_checks.claims.parallel import Finished, Lost, SideBySide, Started
from dualgap.proofs_checks.cli.jobs import on_dask

BATCHES = [(0, 1, 2), (4, 3)]


def sent():
    """Squares numbers; "late" takes ten minutes, "ends" ends the process, a file name ends it where there is no such
    file.

    Sent by value, for a worker cannot import this file.
    """
    import os
    import time

    def work(items):
        for item in items:
            if item == "late":
                time.sleep(600)
            if item == "ends" or (isinstance(item, str) and item.endswith(".mark") and not os.path.exists(item)):
                if item != "ends":
                    open(item, "w").close()
                os._exit(7)
            yield item if isinstance(item, str) else item * item

    return work


@pytest.mark.needs("joblib")
@pytest.mark.parametrize("jobs", [1, 2])
def test_every_item_is_begun_and_finished_once_and_bears_its_number(jobs):
    with SideBySide(sent(), [2, 3, 4, 5, 6, 7], [*BATCHES, (5,)], jobs) as running:
        events = list(running.events())
    finished = [event for event in events if isinstance(event, Finished)]
    assert sorted(finished) == [Finished(k, (k + 2) ** 2) for k in range(6)]
    assert {event.number for event in events if isinstance(event, Started)} == set(range(6))
    assert [event.number for event in finished if event.number < 3] == [0, 1, 2]


@pytest.mark.needs("joblib")
def test_a_process_that_ends_costs_no_other_item_and_its_own_only_where_it_ends_twice(tmp_path):
    once = str(tmp_path / "once.mark")
    with SideBySide(sent(), [2, "ends", 4, 5, once], [(0, 1, 2), (4, 3)], 2) as running:
        events = [event for event in running.events() if not isinstance(event, Started)]
    finished = {event.number: event.result for event in events if isinstance(event, Finished)}
    assert finished == {0: 4, 2: 16, 3: 25, 4: once}
    (lost,) = [event for event in events if isinstance(event, Lost)]
    reason = "the process that worked at it has ended twice: "
    assert lost.number == 1 and lost.reason.startswith(reason) and "7" in lost.reason


@pytest.mark.needs("joblib")
def test_an_interrupt_ends_the_processes_and_loses_nothing_that_is_finished(sigint_interrupts):
    found = {}
    with SideBySide(sent(), [2, 3, "late"], [(0, 1, 2)], 2) as running:
        try:
            for event in running.events():
                if isinstance(event, Started) and event.number == 2:
                    os.kill(os.getpid(), signal.SIGINT)
                    time.sleep(60)
                if isinstance(event, Finished):
                    found[event.number] = event.result
        except KeyboardInterrupt:
            found |= {event.number: event.result for event in running.stop() if isinstance(event, Finished)}
    assert found == {0: 4, 1: 9}


@pytest.mark.needs("joblib")
@pytest.mark.skipif(
    not hasattr(signal, "pthread_sigmask"), reason="Windows has no masks of signals: its processes see Ctrl-C"
)
def test_no_process_sees_the_interrupt_of_a_terminal():
    masks = parallel.in_order(
        lambda item: signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []), range(4), 2, lambda item, done: None
    )
    assert masks == [True] * 4 and signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.needs("joblib")
def test_what_breaks_the_work_itself_is_raised():
    def broken(items):
        raise RuntimeError("a bug")
        yield

    with SideBySide(broken, [1], [(0,)], 2) as running, pytest.raises(RuntimeError, match="a bug"):
        list(running.events())


def test_without_joblib_there_is_one_job_and_two_say_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert parallel.usable(None) == parallel.usable(0) == parallel.usable(1) == 1
    refuses(ValueError, r'2 jobs at a time need joblib.*pip install "dualgap\[cli\]"', parallel.usable, 2)
    with pytest.raises(ValueError, match=r'pip install "dualgap\[cluster\]"'), on_dask("tcp://127.0.0.1:1"):
        pass


@pytest.mark.needs("joblib")
@pytest.mark.parametrize("jobs", [1, 2])
def test_results_in_order_and_a_word_for_each_that_is_begun(jobs):
    said = []
    squares = parallel.in_order(lambda item: item * item, [5, 3, 4], jobs, lambda item, done: said.append(item))
    assert squares == [25, 9, 16]
    assert sorted(said) == [3, 4, 5]
