"""What an audit draws depends on its entropy and on names that are spelled out, not on where a file stands or what ran
before.
"""

from types import ModuleType

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.pool import Pool, seed_name
from dualgap.proofs_checks.claims.registry import CLAIMS, all_claims
from dualgap.proofs_checks.claims.run import Run, Strategy
from dualgap.proofs_checks.evidence.levels import Exact
from dualgap.proofs_checks.papers.spdc import instances as instances_of_spdc
from dualgap.proofs_checks.strategies import instances as strategies

USED = {level.strategy for claim in all_claims().values() for level in claim.evidence if isinstance(level, Exact)}


def test_a_strategy_is_seeded_by_its_paper_and_name_and_a_pool_by_its_name() -> None:
    assert seed_name(strategies.one_step_paper) == "strategies.one_step_paper"
    assert seed_name(instances_of_spdc.singles) == "spdc.singles"
    assert seed_name(Pool("money.coins", st.integers)) == "money.coins"
    module = ModuleType("elsewhere.moved")
    exec("def coins(): ...", vars(module))
    assert seed_name(module.coins) == "elsewhere.moved.coins"


def test_no_two_strategies_of_claims_share_a_seed() -> None:
    assert len(USED) > 90 and len({seed_name(strategy) for strategy in USED}) == len(USED)


def test_strategies_of_one_name_have_pools_of_their_own() -> None:
    def named_pool(instance: Instance) -> Strategy:
        def pool() -> SearchStrategy[Instance]:
            return st.just(instance)

        return pool

    run, first = Run("quick", 1), Run("quick", 1).contexts(strategies.one_step_paper, 1)[0].instance
    pools = [named_pool(first), named_pool(first.but(lam=first.lam + 1))]
    assert seed_name(pools[0]) == seed_name(pools[1])
    assert [run.contexts(pool, 4)[0].instance.lam - first.lam for pool in pools] == [0, 1]


def test_instances_depend_on_the_entropy_and_on_the_strategy() -> None:
    def drawn(entropy: int, strategy: object = instances_of_spdc.batches) -> list[object]:
        return [c.instance for c in Run("quick", entropy).contexts(strategy, 20)]

    assert drawn(1) == drawn(1) != drawn(2)
    assert drawn(1) != drawn(1, instances_of_spdc.nonuniform)


def test_instances_do_not_depend_on_what_was_drawn_before() -> None:
    def asked(*counts: int) -> dict[int, list[object]]:
        run = Run("quick", 1)
        return {count: [c.instance for c in run.contexts(instances_of_spdc.batches, count)] for count in counts}

    assert asked(4, 40, 90) == asked(90, 4, 40) == asked(90, 40, 4)
    assert asked(4)[4] == asked(40)[40][:4] == asked(90)[90][:4], "claims that need fewer get the first of them"


def test_claims_are_listed_by_id() -> None:
    assert list(all_claims()) == sorted(CLAIMS)
