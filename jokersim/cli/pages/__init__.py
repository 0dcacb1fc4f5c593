"""A completed game record as a page for people."""

from jokersim.cli.pages.game import error_line, game_page

__all__ = ["error_line", "game_page"]
