"""The same error always has the same signature; different errors have different signatures."""

import itertools

import pytest

from legacymind.text.error_signature import MAX_SIGNATURE, error_signature

TRACEBACK = """The import died again:

Traceback (most recent call last):
  File "/srv/app-1/load.py", line 31, in <module>
    row = int(cell)
          ^^^^^^^^^
ValueError: invalid literal for int() with base 10: 'abc'

I should look at the export first."""

CHAINED = """Traceback (most recent call last):
  File "a.py", line 1, in read
    return rows["x"]
KeyError: 'x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 9, in <module>
    read()
app.errors.ReadFailed: row 7 of /tmp/in.csv has no x"""

JAVA = """Exception in thread "main" java.lang.RuntimeException: could not start
\tat com.acme.Main.main(Main.java:14)
Caused by: java.sql.SQLException: Connection to db-3.internal:5432 refused
\tat org.acme.MyException.<init>(MyException.java:3)
\t... 3 more"""

SAME: list[list[str]] = [
    [
        TRACEBACK,
        "\n".join(f"    {line}" for line in TRACEBACK.splitlines()),
        "\n".join(f"> {line}" for line in TRACEBACK.splitlines()),
        " ".join(TRACEBACK.split("\n\n")[1].split()),
        TRACEBACK.replace("/srv/app-1", r"C:\work\app").replace("31", "7").replace("'abc'", "'it's 12'"),
        "ValueError: invalid literal for int() with base 16: ''",
        "E       ValueError: invalid literal for int() with base 10: 'x'",
        "I keep getting ValueError: invalid literal for int() with base 10: 'x y' when I read the export",
        "It says `ValueError: invalid literal for int() with base 10: 'x'` since Monday.",
        "2026-11-21 10:00:00,123 ERROR [app.load] ValueError: invalid literal for int() with base 10: 'a'",
        "FAILED tests/test_load.py::test_all - ValueError: invalid literal for int() with base 10: 'q'",
    ],
    [
        "The parser stops with a ValueError.",
        "The import of a class dies: ValueError",
        "ValueError\nwhat now?",
        "VALUE? No: ValueError, again",
    ],
    ["KeyError: 'user'", "A KeyError: 'name' in the parser", "`KeyError: 'x'` came from the cache"],
    [CHAINED, CHAINED.replace("row 7 of /tmp/in.csv", "row 12 of ~/x/y.csv")],
    [JAVA, "Caused by: java.sql.SQLException: Connection to 10.0.0.7:5433 refused"],
    ['Exception in thread "worker-7" java.lang.NullPointerException', "It throws NullPointerException now"],
    [
        "Unhandled exception. System.NullReferenceException: Object reference not set to an instance.",
        "Caused by: System.NullReferenceException: Object reference not set to an instance. Is it?",
    ],
    [
        "Uncaught TypeError: Cannot read properties of undefined (reading 'id')",
        "TypeError: Cannot read properties of undefined (reading 'name')\n    at render (app.js:3:14)",
    ],
    ["TypeError: x is not a function", "Uncaught (in promise) TypeError: x is not a function"],
    [
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
        "Error: connect ECONNREFUSED ::1",
        "error: connect ECONNREFUSED db:80",
    ],
    ["Postgres answers ECONNREFUSED", "why ECONNREFUSED? it is up"],
    ["read ETIMEDOUT it says"],
    [
        "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nmain.f(0xc0)",
        "panic: runtime error: index out of range [0] with length 0 [recovered]",
        "I'm stuck: panic: runtime error: index out of range [7] with length 2",
        "Now I get `panic: runtime error: index out of range [1] with length 1` in the loop.",
    ],
    [
        "fatal error: all goroutines are asleep - deadlock!",
        "I'm stuck with fatal error: all goroutines are asleep - deadlock!",
    ],
    [
        "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds: the len is 3 but the index is 99",
        "thread 't-7' (4711) panicked at x.rs:40:15:\nindex out of bounds: the len is 0 but the index is 1",
        "thread 'main' panicked at 'index out of bounds: the len is 3 but the index is 5', src/main.rs:4:5",
    ],
    [
        "error[E0382]: borrow of moved value: `x`\n --> src/main.rs:3:9",
        "error[E0382]: borrow of moved value: `rows`",
        "Stuck with error[E0382]: borrow of moved value: `it`",
    ],
    ["error[E0502]: cannot borrow `x` as mutable"],
    [
        "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
        "lib/b.ts(30,15): error TS2322: Type 'Row' is not assignable to type 'Id'.",
    ],
    ["src/a.ts(3,5): error TS2339: Property 'x' does not exist on type 'Y'."],
    [
        "ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)",
        "ERROR 1045 (28000): Access denied for user 'app'@'10.1.2.3' (using password: YES)",
    ],
    ["ERROR 1049 (42000): Unknown database 'shop'"],
    [
        "ORA-00942: table or view does not exist",
        "I'm stuck on ORA-00942: table or view does not exist",
        "It says `ORA-00942: table or view does not exist` since Monday.",
    ],
    ["ORA-00001: unique constraint (SHOP.PK) violated"],
    [
        "neo4j.exceptions.CypherSyntaxError: {neo4j_code: Neo.ClientError.Statement.SyntaxError} "
        "{message: Invalid input 'MATC': expected 'MATCH' (line 1, column 5 (offset: 4))} {gql_status: 4201}",
        "Neo.ClientError.Statement.SyntaxError: "
        "Invalid input 'RETRN': expected 'RETURN' (line 20, column 1 (offset: 99))",
    ],
    [
        "Got Neo.TransientError.Transaction.DeadlockDetected",
        "Neo.TransientError.Transaction.DeadlockDetected",
    ],
    ["E       assert 1 == 2", "AssertionError: assert 30 == 41", "FAILED tests/t.py::x - assert 5 == 6"],
    [
        "2026-11-21T10:00:00.123Z ERROR [pool] (worker-3) Connection lost after 35ms, 2 of 8 left",
        "[10:17:03] ERROR Connection lost after 2.5s, 1 of 16 left",
        "Nov 21 03:04:05 [ERROR] Connection lost after 1,200 ms, 7 of 8 left",
    ],
    [
        "error: database is locked",
        "ERROR: database is locked",
        "It says error: database is locked when two write.",
    ],
    ["Fehler: Datei nicht gefunden: 'a.txt'", "Fehler: Datei nicht gefunden: 'b.txt'"],
    ["错误：连接被拒绝"],
    [
        "error: failed to push some refs to 'github.com:a/b'",
        "error: failed to push some refs to 'gitlab.com:c/d'",
    ],
    ["fatal: not a git repository (or any of the parent directories): .git"],
    [
        "The API returned a 503.",
        "HTTP/1.1 503 Service Unavailable",
        "status code: 503",
        "503 Service Unavailable again",
        "half of them are 503 errors",
    ],
    ["The API returned a 502.", "HTTP 502 from the gateway"],
    ["I got 404 for every user"],
    [
        "requests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: https://a.b/c?x=1",
        "HTTPError: 503 Server Error: Service Unavailable for url: http://localhost:8080/health",
    ],
    ["HTTPError: 404 Client Error: Not Found for url: https://a.b/c"],
    ["The job exited with code 137", "exit code 137", "exit status 137", "it exits with status code 137"],
    ["The job exited with code 1", "exited with non-zero status 1"],
    ["Segmentation fault (core dumped)", "a segmentation fault!"],
    ["the pod shows CrashLoopBackOff"],
    ["[Errno 2] No such file or directory: '/a/b'", "[Errno 2] No such file or directory: 'c.txt'"],
    ["[Errno 13] Permission denied: '/a/b'"],
    [
        "FileNotFoundError: [Errno 2] No such file or directory: '/a/b'",
        r"FileNotFoundError: [Errno 2] No such file or directory: 'C:\\x y\\z.txt'",
    ],
    [
        "OSError: cannot read /var/lib/a/b.db at 0x7f3a2c",
        "OSError: cannot read ~/c.db:12 at 0xdeadbeef",
        r"OSError: cannot read D:\data\c.db at 0x1",
        "OSError: cannot read ./rel/c.db at 0x2",
    ],
    [
        "ConnectionError: no answer from https://db.example.com:7687/x",
        "ConnectionError: no answer from http://[::1]:80/",
    ],
    [
        "TimeoutError: db-1.prod.internal:5432 gave nothing in 30s",
        "TimeoutError: 10.0.0.1:6543 gave nothing in 5ms",
    ],
    [
        "LockError: session 1b4e28ba-2fa1-11d2-883f-0016d3cca427 is held since 2026-11-21 10:00:00",
        "LockError: session 6BA7B810-9DAD-11D1-80B4-00C04FD430C8 is held since 2025-01-02T03:04:05.678Z",
    ],
    [
        "LockError: commit a1b2c3d4e5f6 is not there",
        "lockerror? LockError: commit 0f9e8d7c6b is   NOT there.",
    ],
    ["ShapeError: shapes (3, 4) and (5,6) differ", "ShapeError: shapes (3, 4, 5) and (1,) differ"],
    ["MemoryError: worker-7 needs 8_000 bytes", "MemoryError: worker-12 needs 1,234,567 bytes"],
    ["ArrowError: cannot cast int64 to utf8"],
    ["ArrowError: cannot cast int32 to utf8"],
]

NONE = [
    "",
    "  \n\t",
    "The pump is fine and the valve holds.",
    "There is an error in the parser, I think.",
    "HypothesisTest and error is no method; terror neither.",
    "Error handling needs a design.",
    "raise ValueError('a negative age')",
    "try:\n    f()\nexcept KeyError:\n    pass",
    "def test_it():\n    assert read() == 1",
    "class ReadError(Exception):\n    pass",
    "if isinstance(error, (KeyError, IndexError)):",
    "from app.errors import NotFoundError",
    "} catch (IOException e) { throw new IllegalStateException(e); }",
    "It exited with code 0 and returned a 200.",
    "We sold 503 units in 404 days.",
    "No error: all is well",
    "Meeting at 10:30, room 500. Wichtig!",
    "setTimeout waits 500 ms",
    "…!?",
    "🦊" * 50,
]


@pytest.mark.parametrize("group", SAME, ids=lambda group: group[0][:40])
def test_the_same_error_has_one_signature(group: list[str]) -> None:
    first, *others = [error_signature(text) for text in group]
    assert first
    assert others == [first] * len(others)


def test_different_errors_have_different_signatures() -> None:
    signed = [(error_signature(group[0]), group[0]) for group in SAME]
    alike = [(a, b) for (one, a), (two, b) in itertools.combinations(signed, 2) if one == two]
    assert alike == []


@pytest.mark.parametrize("text", NONE, ids=lambda text: text[:40])
def test_a_text_without_an_error_has_no_signature(text: str) -> None:
    assert error_signature(text) is None


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        (TRACEBACK, "valueerror: invalid literal for int() with base <n>: <str>"),
        (CHAINED, "readfailed: row <n> of <path> has no x"),
        (JAVA, "sqlexception: connection to <host> refused"),
        ("HTTP 503", "http 503"),
        ("returned a 499", "http 499"),
        ("exit code 137", "exit 137"),
        ("panic: out of fuel", "panic: out of fuel"),
        ("ERROR [pool] Lost 3 of 8", "error: lost <n> of <n>"),
        ("Neo.ClientError.Security.Unauthorized", "neo.clienterror.security.unauthorized"),
        (
            f"{TRACEBACK}\n\nIt also said ERROR: nothing",
            "valueerror: invalid literal for int() with base <n>: <str>",
        ),
        ("First KeyError: 'a', then IndexError: b", "keyerror: <str>, then indexerror: b"),
    ],
)
def test_a_signature_is_readable(text: str, signature: str) -> None:
    assert error_signature(text) == signature


def test_a_signature_is_short_and_never_ends_in_half_a_placeholder() -> None:
    for length in range(MAX_SIGNATURE - 30, MAX_SIGNATURE + 10):
        found = error_signature(f"ValueError: {'x' * length} 'a' and /b/c is https://d.e")
        assert found
        assert len(found) <= MAX_SIGNATURE
        assert found.count("<") == found.count(">")
        assert found == found.strip().lower()


@pytest.mark.parametrize("long", ["x " * 60_000, "\n" * 110_000, "/a" * 60_000, "' " * 60_000, "A." * 60_000])
def test_an_error_is_found_at_either_end_of_a_long_text(long: str) -> None:
    assert error_signature(f"KeyError: 'a'\n{long}") == "keyerror: <str>"
    assert error_signature(f"{long}\nKeyError: 'a'") == "keyerror: <str>"
