"""The same work by others: random legal playouts of trick-taking games, one core."""
