"""The laws that every game keeps, over random matches of every game and variant there is."""

from itertools import islice
from random import Random

import msgspec
import pytest

from domain.game import AnyGame, CommandRejected, Seat
from domain.table.events import TABLE_EVENTS
from domain.table.match import Match, Recorded, begin, evolve
from domain.table.steps import state_hash
from domain.table.view import redact, view
from events.codec import Codec, kind_of
from tests.domain.matches import GAMES_AND_VARIANTS, IDS, as_bytes, outcomes, seeded, viewers

every_game = pytest.mark.parametrize(("game", "variant"), GAMES_AND_VARIANTS, ids=IDS)
SEEDS = (1, 2)


def redacted(game: AnyGame, recorded: Recorded, viewer: Seat) -> Recorded | None:
    event = redact(game, recorded.event, viewer)
    return None if event is None else msgspec.structs.replace(recorded, event=event)


@every_game
def test_a_match_ends_and_replays_from_its_events_to_the_same_state(game: AnyGame, variant: str) -> None:
    for seed in SEEDS:
        folded: Match | None = None
        hashes = []
        for outcome, _ in outcomes(game, variant, seed, automatic=0.1):
            for step in outcome.recorded:
                folded = begin(game, step.event, step.at) if folded is None else evolve(folded, step)
                if step.state:
                    hashes.append(step.state)
                    assert step.state == state_hash(folded)
            assert folded == outcome.match
        assert folded is not None
        assert folded.ended is not None
        assert hashes
        assert sum(folded.ended.payouts) + folded.ended.rake == folded.ended.pot == 100 * len(folded.seats)  # type: ignore[union-attr]


@pytest.mark.timeout(60)
@every_game
def test_a_damaged_log_is_folded_or_fails_and_never_takes_for_ever(game: AnyGame, variant: str) -> None:
    whole = [step for outcome, _ in outcomes(game, variant, 5, automatic=0.1) for step in outcome.recorded]
    deals = [place for place, step in enumerate(whole) if kind_of(step.event) in game.opens_deal]
    random, failed = Random(6), 0
    for _ in range(60):
        log = whole[: random.randrange(40, len(whole))]
        match random.choice(("left out", "repeated", "swapped")):
            case "left out":
                place = random.choice([1, *(deal for deal in deals if deal < len(log))])
                del log[place : place + random.randrange(1, 9)]
            case "repeated":
                log.insert(random.randrange(1, len(log)), random.choice(log[1:]))
            case "swapped":
                place = random.randrange(1, len(log) - 1)
                log[place : place + 2] = log[place + 1], log[place]
        try:
            folded = begin(game, log[0].event, log[0].at)
            for step in log[1:]:
                folded = evolve(folded, step)
            for viewer in viewers(folded):
                view(folded, viewer)
        except Exception:  # noqa: BLE001 - whatever damage breaks
            failed += 1
    assert failed > 0


@every_game
def test_events_survive_storage_and_carry_permanent_kinds(game: AnyGame, variant: str) -> None:
    codec = Codec((*TABLE_EVENTS, *game.events))
    for kind in codec.kinds:
        name, event, version = kind.split(".")
        assert name.isidentifier()
        assert event.isidentifier()
        assert version.startswith("v")
    for outcome, _ in outcomes(game, variant, 3, automatic=0.1):
        for step in outcome.recorded:
            assert codec.decode(kind_of(step.event), codec.encode(step.event)) == step.event


@every_game
def test_the_fold_of_what_a_seat_was_sent_is_its_view(game: AnyGame, variant: str) -> None:
    for seed in SEEDS:
        known: dict[Seat, Match] = {}
        for outcome, random in outcomes(game, variant, seed, automatic=0.05):
            for viewer in viewers(outcome.match):
                for step in outcome.recorded:
                    told = redacted(game, step, viewer)
                    if told is None:
                        continue
                    known[viewer] = (
                        begin(game, told.event, told.at) if viewer not in known else evolve(known[viewer], told)
                    )
                if random.random() < 0.25:
                    assert as_bytes(view(known[viewer], viewer)) == as_bytes(view(outcome.match, viewer))


@every_game
def test_the_order_of_unseen_cards_leaves_no_trace(game: AnyGame, variant: str) -> None:
    """Deal the cards that a viewer is not shown again: what he is told stays the same, byte for byte (TBL-29)."""
    found = 0
    for outcome, random in outcomes(game, variant, 4):
        for step in outcome.recorded:
            if kind_of(step.event) not in game.opens_deal:
                continue
            for viewer in viewers(outcome.match):
                told = redact(game, step.event, viewer)
                other = msgspec.structs.replace(step.event, deck=_shuffled_unseen(step.event.deck, told, random))
                assert as_bytes(redact(game, other, viewer)) == as_bytes(told)
                found += 1
    assert found


def _shuffled_unseen(deck: tuple[str, ...], told: object, random: Random) -> tuple[str, ...]:
    """Permute the cards that stand as backs in a viewer's copy of a deal."""
    seen = getattr(told, "deck", ("??",) * len(deck))
    unseen = [place for place, code in enumerate(seen) if code == "??"]
    assert unseen, "every viewer has cards that he does not see"
    moved = random.sample(unseen, len(unseen))
    cards = list(deck)
    for place, source in zip(unseen, moved, strict=True):
        cards[place] = deck[source]
    return tuple(cards)


@every_game
def test_exactly_what_is_legal_is_accepted_and_a_refusal_changes_nothing(game: AnyGame, variant: str) -> None:
    tried: list[object] = []
    for outcome, random in outcomes(game, variant, 5):
        match = outcome.match
        if match.ended is not None or random.random() > 0.1:
            continue
        prompt = match.prompt
        assert prompt is not None
        before = state_hash(match)
        for seat in map(Seat, range(len(match.seats))):
            legal = game.legal(match.play, seat)
            assert bool(legal) == (seat in prompt.seats)
            tried = (tried + list(legal[:20]))[-400:]
            for command in legal[:30]:
                assert game.decide(match.play, seat, command)
            for command in random.sample(tried, min(10, len(tried))):
                if command not in legal:
                    with pytest.raises(CommandRejected) as rejected:
                        game.decide(match.play, seat, command)
                    assert rejected.value.reason in game.refusals.__members__.values()
        assert state_hash(match) == before


@every_game
def test_the_automatic_policy_always_answers_lawfully(game: AnyGame, variant: str) -> None:
    for outcome, random in islice(outcomes(game, variant, 6, automatic=1.0), 2000):  # idle hands need not end a match
        match = outcome.match
        prompt = match.prompt
        if prompt is None:
            continue
        for seat in prompt.seats:
            command = game.automatic(match.play, seat, seeded(random))
            assert game.decide(match.play, seat, command)


@every_game
def test_a_bot_sees_a_view_and_answers_lawfully(game: AnyGame, variant: str) -> None:
    for outcome, random in outcomes(game, variant, 7):
        match = outcome.match
        prompt = match.prompt
        if prompt is None or random.random() > 0.3:
            continue
        for seat in prompt.seats:
            command = game.bot(game.view(match.play, seat), seeded(random))
            assert game.decide(match.play, seat, command)


@every_game
def test_every_text_is_there_in_english_and_arabic(game: AnyGame, variant: str) -> None:
    names = {f"refused.{code}" for code in game.refusals}
    names |= {f"event.{kind_of(event)}" for event in game.events}
    names |= {f"option.{option.name}" for option in game.options}
    names |= {"game", f"variant.{variant}"}
    assert names - game.texts.keys() == set()
    for english, arabic in game.texts.values():
        assert english.isascii()
        assert any("\u0600" <= letter <= "\u06ff" for letter in arabic), arabic
