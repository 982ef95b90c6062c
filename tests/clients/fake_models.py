"""A local server that speaks as models of Anthropic, OpenAI and Google do; `tests.clients.agents` uses it.

A scenario decides each answer from what the client sent, so that a repeated request gets the same answer. The
server keeps every request. Streams have the fewest events with which the clients work.
"""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, cast

MODEL: Final = "fake-1"
_USAGE: Final = {"input_tokens": 1, "output_tokens": 1}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of a client: its tools, the results of tool calls so far, and all of its text."""

    tools: list[str]
    results: list[str]
    text: str


@dataclass(frozen=True, slots=True)
class Say:
    """A text as the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Use:
    """A tool call as the answer."""

    tool: str
    arguments: dict[str, Any]


Answer = Say | Use


@dataclass(slots=True)
class FakeModels:
    """The server; ``address`` is its base URL. ``answer`` gets each request that has tools."""

    answer: Callable[[Asked], Answer]
    asked: list[Asked] = field(default_factory=list[Asked])
    unknown: list[str] = field(default_factory=list[str])
    _server: ThreadingHTTPServer | None = None

    def __enter__(self) -> "FakeModels":
        models = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                sent = models.reply(self.path, json.loads(body or b"{}"))
                self._send(sent)

            def do_GET(self) -> None:
                models.unknown.append(f"GET {self.path}")
                self._send(None)

            def _send(self, sent: tuple[str, bytes] | None) -> None:
                kind, content = sent or ("application/json", b"{}")
                self.send_response(200 if sent else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        """The base URL."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.server_port}"

    def reply(self, path: str, body: dict[str, Any]) -> tuple[str, bytes] | None:
        """The content type and the content for a request; None if the path is unknown."""
        for ending, (read, write) in _PROTOCOLS.items():
            if path.partition("?")[0].endswith(ending):
                asked = read(body)
                if not asked.tools:  # a title, a summary
                    return write(Say("Fine."), body, path)
                self.asked.append(asked)
                return write(self.answer(asked), body, path)
        self.unknown.append(f"POST {path}")
        return None


def _anthropic(body: dict[str, Any]) -> Asked:
    blocks = [
        cast("dict[str, Any]", block)
        for message in body.get("messages", [])
        if isinstance(message["content"], list)
        for block in cast("list[Any]", message["content"])
    ]
    results = [json.dumps(block["content"]) for block in blocks if block["type"] == "tool_result"]
    return Asked([tool["name"] for tool in body.get("tools", [])], results, _text(body))


def _openai(body: dict[str, Any]) -> Asked:
    items: list[dict[str, Any]] = body["input"]
    # Codex offers tools of MCP servers in the answers to `tool_search`.
    found = [tool for item in items if item.get("type") == "tool_search_output" for tool in item["tools"]]
    tools: list[str] = []
    for tool in (*body.get("tools", []), *found):
        name = tool.get("name", tool["type"])
        tools += [f"{name}/{inner['name']}" for inner in tool["tools"]] if "tools" in tool else [name]
    results = [json.dumps(item["output"]) for item in items if item.get("type", "").endswith("call_output")]
    return Asked(tools, results, _text(body))


def _chat(body: dict[str, Any]) -> Asked:
    tools = [tool["function"]["name"] for tool in body.get("tools", [])]
    results = [str(message["content"]) for message in body["messages"] if message["role"] == "tool"]
    return Asked(tools, results, _text(body))


def _gemini(body: dict[str, Any]) -> Asked:
    tools = [each["name"] for tool in body.get("tools", []) for each in tool.get("functionDeclarations", [])]
    parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
    results = [json.dumps(part["functionResponse"]) for part in parts if "functionResponse" in part]
    return Asked(tools, results, _text(body))


def _text(body: dict[str, Any]) -> str:
    """Every string of a request that is not a tool's description, one on each line."""

    def strings(value: object) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for inner in cast("dict[str, Any]", value).values():
                yield from strings(inner)
        elif isinstance(value, list):
            for inner in cast("list[Any]", value):
                yield from strings(inner)

    return "\n".join(strings({name: value for name, value in body.items() if name != "tools"}))


def _events(events: list[dict[str, Any]], *, named: bool) -> tuple[str, bytes]:
    lines = [
        (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n" for event in events
    ]
    return "text/event-stream", "".join(lines).encode()


def _as_json(value: object) -> tuple[str, bytes]:
    return "application/json", json.dumps(value).encode()


def _to_anthropic(answer: Answer, body: dict[str, Any], path: str) -> tuple[str, bytes]:
    if isinstance(answer, Say):
        block: dict[str, Any] = {"type": "text", "text": answer.text}
        start: dict[str, Any] = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": answer.text}
    else:
        call = {"type": "tool_use", "id": f"toolu_{len(_text(body))}", "name": answer.tool}
        block, start = call | {"input": answer.arguments}, call | {"input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(answer.arguments)}
    reason = "end_turn" if isinstance(answer, Say) else "tool_use"
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", MODEL),
        "content": [block],
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": _USAGE,
    }
    if not body.get("stream"):
        return _as_json(message)
    return _events(
        [
            {"type": "message_start", "message": message | {"content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": reason, "stop_sequence": None},
                "usage": _USAGE,
            },
            {"type": "message_stop"},
        ],
        named=True,
    )


def _to_openai(answer: Answer, body: dict[str, Any], path: str) -> tuple[str, bytes]:
    if isinstance(answer, Say):
        content: list[dict[str, Any]] = [{"type": "output_text", "text": answer.text, "annotations": []}]
        item: dict[str, Any] = {"type": "message", "id": "msg_1", "role": "assistant", "content": content}
    elif answer.tool == "tool_search":
        call = {"call_id": f"call_{len(_text(body))}", "execution": "client", "arguments": answer.arguments}
        item = {"type": "tool_search_call", "status": "completed"} | call
    else:
        namespace, _, name = answer.tool.rpartition("/")
        item = {
            "type": "function_call",
            "id": "fc_1",
            "call_id": f"call_{len(_text(body))}",
            "name": name,
            "arguments": json.dumps(answer.arguments),
        } | ({"namespace": namespace} if namespace else {})
    response: dict[str, Any] = {"id": "resp_1", "object": "response", "model": MODEL, "output": []}
    usage = _USAGE | {"total_tokens": 2}
    done = response | {"status": "completed", "output": [item], "usage": usage}
    if not body.get("stream"):
        return _as_json(done)
    return _events(
        [
            {"type": "response.created", "response": response | {"status": "in_progress"}},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": done},
        ],
        named=True,
    )


def _to_chat(answer: Answer, body: dict[str, Any], path: str) -> tuple[str, bytes]:
    said: dict[str, Any] = {"role": "assistant"}
    if isinstance(answer, Say):
        said["content"] = answer.text
    else:
        function = {"name": answer.tool, "arguments": json.dumps(answer.arguments)}
        call = {"index": 0, "id": f"call_{len(_text(body))}", "type": "function", "function": function}
        said["tool_calls"] = [call]
    streamed = bool(body.get("stream"))
    reason = "stop" if isinstance(answer, Say) else "tool_calls"
    choice = {"index": 0, "delta" if streamed else "message": said, "finish_reason": reason}
    kind = "chat.completion.chunk" if streamed else "chat.completion"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    completion = {
        "id": "chat_1",
        "object": kind,
        "created": 1,
        "model": MODEL,
        "choices": [choice],
        "usage": usage,
    }
    return _events([completion], named=False) if streamed else _as_json(completion)


def _to_gemini(answer: Answer, body: dict[str, Any], path: str) -> tuple[str, bytes]:
    part: dict[str, Any] = (
        {"text": answer.text}
        if isinstance(answer, Say)
        else {"functionCall": {"name": answer.tool, "args": answer.arguments}}
    )
    chunk = {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        "modelVersion": MODEL,
    }
    return _events([chunk], named=False) if "alt=sse" in path else _as_json(chunk)


def _counted(answer: Answer, body: dict[str, Any], path: str) -> tuple[str, bytes]:
    return _as_json({"input_tokens": 1, "totalTokens": 1})


def _no_tools(body: dict[str, Any]) -> Asked:
    return Asked([], [], "")


_PROTOCOLS: Final[
    dict[
        str,
        tuple[
            Callable[[dict[str, Any]], Asked],
            Callable[[Answer, dict[str, Any], str], tuple[str, bytes]],
        ],
    ]
] = {
    "/messages": (_anthropic, _to_anthropic),
    "/chat/completions": (_chat, _to_chat),
    "/responses": (_openai, _to_openai),
    ":streamGenerateContent": (_gemini, _to_gemini),
    ":generateContent": (_gemini, _to_gemini),
    "/count_tokens": (_no_tools, _counted),
    ":countTokens": (_no_tools, _counted),
}
"""How a request is read and an answer written, by the end of the path."""
