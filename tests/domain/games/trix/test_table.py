import pytest

from domain.cards import PACK
from domain.game import Seat
from domain.games.trix import GAME
from domain.games.trix.commands import Command
from domain.games.trix.contracts import Contract
from domain.games.trix.events import ContractChosen, Dealt, HandsTurnedUp
from domain.games.trix.scenario import Start, begin
from domain.games.trix.state import Phase, start
from domain.games.trix.view import view
from tests.domain.games.trix.play import NORMAL, SEATS, SUITS, chance, choose, dealt, fold, holding, match, settings

VARIANTS = ("complex_partnership", "complex", "partnership", "individual")


def test_trx_2_and_3_there_are_four_variants_and_complex_partnership_is_the_default() -> None:
    assert GAME.variants == VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
def test_trx_1_and_4_four_seats_and_partners_sit_opposite(variant: str) -> None:
    assert GAME.seats(settings(variant)) == 4
    assert GAME.teams(settings(variant)) == ((0, 1, 0, 1) if "partnership" in variant else None)


def test_trx_5_and_7_and_10_and_83_no_command_changes_the_variant_or_doubling_redeals_or_passes() -> None:
    names = {command.__struct_config__.tag for command in Command.__args__}
    assert names == {"choose_contract", "set_doubles", "ready", "play"}
    assert [option.name for option in GAME.options] == ["contract_seconds", "doubling_seconds", "turn_seconds"]


def test_tbl_8_the_clocks_have_their_defaults_and_ranges() -> None:
    assert [(option.default, option.minimum, option.maximum) for option in GAME.options] == [
        (20, 5, 120),
        (15, 5, 120),
        (20, 5, 120),
    ]


def test_trx_8_and_9_the_pack_goes_out_in_thirteens() -> None:
    state = start(settings())
    (event,) = GAME.proceed(state, chance(1))
    assert isinstance(event, Dealt)
    assert sorted(event.deck) == sorted(PACK)
    assert len(event.salts) == 52
    hands = [set(hand) for hand in GAME.scenarios.facts(fold(state, [event]))["hands"]]  # type: ignore[attr-defined]
    assert hands == [set(event.deck[13 * seat : 13 * seat + 13]) for seat in range(4)]


def test_trx_11_and_12_every_deal_of_a_match_has_a_deck_of_its_own_in_the_log() -> None:
    decks = [event.deck for _, events, _ in match("complex", 1) for event in events if isinstance(event, Dealt)]
    assert len(decks) == len(set(decks)) == 8


@pytest.mark.parametrize("seat", SEATS)
def test_trx_14_and_15_who_is_dealt_the_seven_of_hearts_owns_and_chooses_on_these_cards(seat: Seat) -> None:
    hands = [SUITS[(index - seat + 1) % 4] for index in range(4)]
    state = dealt(hands)
    assert (state.owner, state.first, state.phase) == (seat, seat, Phase.CHOOSING)
    assert GAME.scenarios.facts(choose(state, Contract.LTOOSH))["hands"] == hands


def test_trx_16_later_it_means_nothing_who_holds_the_seven_of_hearts() -> None:
    state = dealt(SUITS, owner=3, played=(Contract.KING,))
    assert state.owner == 3


@pytest.mark.parametrize(("variant", "deals"), [("individual", 20), ("complex_partnership", 8)])
def test_trx_13_18_and_19_four_kingdoms_in_turn_each_with_every_contract_once(variant: str, deals: int) -> None:
    scored = [after for before, _, after in match(variant, 2) if after.phase in {Phase.DEAL_SCORED, Phase.MATCH_OVER}]
    assert [state.deal for state in scored] == list(range(1, deals + 1))
    first = scored[0].first
    assert first is not None
    size = deals // 4
    for kingdom in range(4):
        states = scored[kingdom * size : (kingdom + 1) * size]
        assert {state.owner for state in states} == {(first + kingdom) % 4}
        assert {state.contract for state in states} == set(states[0].table.contracts)
        assert {state.kingdom for state in states} == {kingdom + 1}


def test_trx_18_the_next_kingdom_is_the_next_seats() -> None:
    state = begin(settings(), Start(owner=3, contracts_played=NORMAL[:4]))
    after = fold(state, GAME.proceed(state, chance(3)))
    assert (after.owner, after.kingdom, after.open) == (3, 2, ())
    state = begin(settings(), Start(owner=0, kingdom=3))
    assert (state.owner, state.kingdom) == (3, 2)
    after = fold(state, GAME.proceed(state, chance(3)))
    assert (after.owner, after.kingdom, after.open) == (0, 3, NORMAL)


@pytest.mark.parametrize(("variant", "choices"), [("partnership", 4), ("complex", 1)])
def test_trx_27_the_owner_chooses_all_contracts_but_the_last(variant: str, choices: int) -> None:
    chosen = [event for _, events, _ in match(variant, 3) for event in events if isinstance(event, ContractChosen)]
    for kingdom in range(4):
        of_kingdom = chosen[kingdom * (choices + 1) : (kingdom + 1) * (choices + 1)]
        assert [event.auto_last for event in of_kingdom] == [False] * choices + [True]


@pytest.mark.parametrize("last", NORMAL)
def test_trx_26_and_29_the_last_contract_is_announced_with_the_deal(last: Contract) -> None:
    played = tuple(contract for contract in NORMAL if contract is not last)
    state = begin(settings(), Start(owner=1, contracts_played=played))
    events = GAME.proceed(state, chance(4))
    assert isinstance(events[0], Dealt)
    assert events[1] == ContractChosen(Seat(1), last, auto_last=True)
    assert isinstance(events[2], HandsTurnedUp)
    after = fold(state, events)
    assert after.phase not in {Phase.CHOOSING, Phase.ANNOUNCED}
    for seat in SEATS:
        assert "??" not in view(after, seat).hand


def test_prompts_have_a_new_number_for_every_clock_and_keep_it_while_it_runs() -> None:
    numbers: list[tuple[int, str]] = []
    for _, _, after in match("complex", 5):
        prompt = GAME.prompt(after)
        if prompt is not None and (not numbers or numbers[-1] != (prompt.number, prompt.kind)):
            numbers.append((prompt.number, prompt.kind))
    assert [number for number, _ in numbers] == sorted({number for number, _ in numbers})
    assert {kind for _, kind in numbers} == {"contract", "doubling", "turn"}


def test_prompts_name_who_and_how_long() -> None:
    state = dealt(holding("KH", "7H"), owner=2)
    contract = GAME.prompt(state)
    assert contract is not None
    assert (contract.seats, contract.seconds, contract.window) == ((2,), 20, False)
    doubling = GAME.prompt(choose(state, Contract.KING))
    assert doubling is not None
    assert (doubling.seats, doubling.seconds, doubling.window) == (SEATS, 15, True)
    turn = GAME.prompt(choose(state, Contract.LTOOSH))
    assert turn is not None
    assert (turn.seats, turn.seconds, turn.commands) == ((2,), 20, ("play",))


def test_trx_11_a_deal_is_what_its_chance_makes_it() -> None:
    state = start(settings())
    assert GAME.proceed(state, chance(6)) == GAME.proceed(state, chance(6)) != GAME.proceed(state, chance(7))
