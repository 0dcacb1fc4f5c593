"""Pictures of odds: both kinds open as what they are called, and equal answers give equal files."""

from xml.etree import ElementTree as ET

import pytest

from jokersim.errors import InputError
from jokersim.odds import bid_odds, trump_odds
from jokersim.odds.plot import plot_odds


@pytest.fixture(scope="module")
def answers():
    pytest.importorskip("matplotlib")
    return [
        bid_odds(hand="AS KS", turned="9H", position=0, samples=200),
        trump_odds("japanese", cards="AS KS 7D", samples=50),
    ]


def test_a_svg_is_an_image_that_tells_the_question(answers, tmp_path):
    for answer in answers:
        path = tmp_path / "odds.svg"
        plot_odds(answer, path)
        root = ET.parse(path).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) > 5


def test_a_png_has_pixels(answers, tmp_path):
    from matplotlib.image import imread

    path = tmp_path / "odds.png"
    plot_odds(answers[0], path)
    pixels = imread(path)
    assert pixels.shape[0] > 100
    assert pixels.min() < pixels.max()


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_equal_answers_give_equal_pictures(answers, tmp_path, ending):
    files = [tmp_path / f"{name}.{ending}" for name in "ab"]
    for file in files:
        plot_odds(answers[0], file)
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize("name", ["odds.gif", "odds", "nowhere/odds.svg"])
def test_what_cannot_be_drawn_into_is_refused(tmp_path, name):
    with pytest.raises(InputError):
        plot_odds({}, tmp_path / name)
