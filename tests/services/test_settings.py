"""Settings come from the environment, each checked, and what is wrong is said in one line."""

import pytest

from services.settings import BadSetting, Settings, from_environment, to_environment


def test_settings_survive_the_environment() -> None:
    settings = Settings(port=0, guests=True, time_scale=7, log="postgresql://x", private=True, seed="0a")
    assert from_environment(to_environment(settings)) == settings
    assert to_environment(Settings()) == {}


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SHADDA_PORT", "seventy"),
        ("SHADDA_PORT", "70000"),
        ("SHADDA_TIME_SCALE", "0"),
        ("SHADDA_PARTITIONS", "-1"),
        ("SHADDA_COLOUR", "red"),
        ("SHADDA_SEED", "0a"),  # without SHADDA_PRIVATE
    ],
)
def test_a_wrong_setting_is_named(variable: str, value: str) -> None:
    with pytest.raises(BadSetting, match=variable):
        from_environment({variable: value})


def test_other_variables_are_nobodys_business() -> None:
    assert from_environment({"PATH": "/bin", "SHADDAX": "1"}) == Settings()
