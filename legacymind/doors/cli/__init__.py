"""The command line.

`main` runs it, `listing` has its commands by job. `operations` makes a command of each operation, with the
words and the parsing of `command`; `commands`, `hooks` and `install` have the others. `show` prints results
for people, through `output`.
"""
