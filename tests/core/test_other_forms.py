"""Calls in the forms of families without a dialect of their own: each is read by its markers, whole and streamed."""

from typing import Any

import pytest

from purestep.alone import read_text, specs_of
from purestep.stream import StreamCall, close_stream, feed, stream_of

ADD: dict[str, Any] = {
    "name": "add",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
        "required": ["a", "b"],
    },
}
_JSON = '{"name": "add", "arguments": {"a": 1, "b": "x y"}}'
_PAIRS = "<arg_key>a</arg_key><arg_value>1</arg_value>\n<arg_key>b</arg_key><arg_value>x y</arg_value>"
_XTML = (
    '<|open|>argument key="a" type="number"<|sep|>1<|close|>argument<|sep|>'
    '<|open|>argument key="b" type="string"<|sep|>x y<|close|>argument<|sep|>'
)
_BARRED = (
    '{o}invoke name="add">\n{o}parameter name="a" string="false">1{c}parameter>\n'
    '{o}parameter name="b" string="true">x y{c}parameter>\n{c}invoke>'
)

FORMS = {
    "kimi_k3": f'<|open|>tools<|sep|><|open|>call tool="add" index="1"<|sep|>{_XTML}<|close|>call<|sep|><|close|>tools'
    "<|sep|><|close|>message<|sep|><|end_of_msg|>",
    "kimi_k3 json": '<|open|> tools <|sep|><|open|> call tool="add" index="1"<|sep|><|open|>json type="object"<|sep|>'
    '{"a":1,"b":"x y"}<|close|>json<|sep|><|close|> call <|sep|><|close|> tools <|sep|>',
    "step3": "<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜>"
    '<steptml:invoke name="add"><steptml:parameter name="a">1</steptml:parameter><steptml:parameter name="b">x y'
    "</steptml:parameter></steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>",
    "hunyuan 3": f"<tool_calls><tool_call>add<tool_sep>{_PAIRS}</tool_call></tool_calls>",
    "solar 2": "<|tool_call:start|>add\n<|tool_arg:start|>a<|tool_arg:value|>1<|tool_arg:end|>\n<|tool_arg:start|>b"
    "<|tool_arg:value|>x y<|tool_arg:end|>\n<|tool_call:end|>",
    "solar 1": "<|tool_calls|><|tool_call:begin|>k3j5h7g9d1<|tool_call:name|>add<|tool_call:args|>"
    '{"a": 1, "b": "x y"}<|tool_call:end|><|calls|>',
    "pangu": f"<|tool_call_start|>[{_JSON}]<|tool_call_end|>",
    "gigachat 3": f"<|function_call|>{_JSON}",
    "gigachat 3.5": "<｜GCML｜tool_calls>\n"
    + _BARRED.format(o="<｜GCML｜", c="</｜GCML｜")
    + "\n</｜GCML｜tool_calls>",
    "deepseek 4.1": "<｜DSML｜ calls>\n" + _BARRED.format(o="<｜DSML｜ ", c="</｜DSML｜ ") + "\n</｜DSML｜ calls>",
    "inkling": "<|message_model|><|content_thinking|>hm<|end_message|><|message_model|>add<|content_invoke_tool_json|>"
    '{"name":"add","args":{"a":1,"b":"x y"}}<|end_message|>',
    "k2 horizon": "<ifm|tool_calls>\n<ifm|tool_call>add<ifm|arg_key>a</ifm|arg_key><ifm|arg_type>integer</ifm|arg_type>"
    "<ifm|arg_value>1</ifm|arg_value><ifm|arg_key>b</ifm|arg_key><ifm|arg_value>x y</ifm|arg_value></ifm|tool_call>"
    "</ifm|tool_calls>",
    "plamo 3": "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>add"
    "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>"
    '{"a": 1, "b": "x y"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>'
    "<|plamo:end_tool_requests:plamo|>",
    "telechat": "<tool_call>add<param_key>a</param_key><param_value>1</param_value>"
    "<param_key>b</param_key><param_value>x y</param_value></tool_call>",
    "iquest": f"<iquest_tool_call>add{_PAIRS}</iquest_tool_call>",
    "glm, name and json": '<tool_call>add>{"a": 1, "b": "x y"}</tool_call>',
    "muse": " to=self<|message|>hm<|eom|><|start|>assistant to=add.add<|message|><atem:function_calls>\n"
    '<atem:invoke name="add">\n<atem:parameter name="a">1</atem:parameter>\n<atem:parameter name="b">x y'
    "</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|>",
    "qwen, blanks in tags": "<tool_call>\n<function=add>\n< parameter = a >\n1\n</ parameter >\n<parameter=b\nx y"
    "\n</parameter>\n</function>\n</tool_call>",
    "granite, lines": 'add(a=1, b="x y")\n',
    "rwkv": f"```json\n{_JSON}\n```",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_read_whole_and_streamed(form: str) -> None:
    """The call is read, nothing else is shown, and the stream tells the same call."""
    text, tools = FORMS[form], specs_of([ADD])
    reading = read_text(text, "auto", [ADD])
    assert (({"tool": "add", "params": {"a": 1, "b": "x y"}},), None, ()) == (
        reading.calls,
        reading.content,
        reading.problems,
    )
    stream, events = stream_of("auto", tools), list[Any]()
    for char in text:
        stream, happened = feed(stream, char)
        events += happened
    events += close_stream(stream)
    assert "" == "".join(event.text for event in events).strip()
    assert [reading.calls[0]["params"]] == [event.params for event in events if isinstance(event, StreamCall)]


def test_an_answer_in_channels_is_shown_without_them() -> None:
    """Kimi K3's response channel and its thoughts, which the template has opened, are told apart."""
    text = "Let me see.<|close|>think<|sep|><|open|>response<|sep|>Rome.<|close|>response<|sep|><|close|>message<|sep|>"
    reading = read_text(text, "auto", [ADD])
    assert ("Rome.", "Let me see.") == (reading.content, reading.reasoning)
