"""The commands, each in a module that bears its name and holds it as `command`."""
