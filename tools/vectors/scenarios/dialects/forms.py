"""Calls in the forms of families without a dialect of their own: one call each, for the vectors and the tests."""

from typing import Any, Final

from tools.vectors.record import compact

ADD: dict[str, Any] = {
    "name": "add",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
        "required": ["a", "b"],
    },
}
_JSON = '{"name": "add", "arguments": {"a": 1, "b": "x y"}}'
_ARGUMENTS = '{"a": 1, "b": "x y"}'
_RFL = '<rfl:parameter name="a">1</rfl:parameter><rfl:parameter name="b">x y</rfl:parameter>'
_SUFFIXED = (
    "<tool_calls><tool_call>%<arg_key>a</arg_key><arg_value>1</arg_value><arg_key>b</arg_key><arg_value>x y</arg_value>"
    "</tool_call></tool_calls>"
)
_PAIRS = "<arg_key>a</arg_key><arg_value>1</arg_value>\n<arg_key>b</arg_key><arg_value>x y</arg_value>"
_XTML = (
    '<|open|>argument key="a" type="number"<|sep|>1<|close|>argument<|sep|>'
    '<|open|>argument key="b" type="string"<|sep|>x y<|close|>argument<|sep|>'
)
_BARRED = (
    '{o}invoke name="add">\n{o}parameter name="a" string="false">1{c}parameter>\n'
    '{o}parameter name="b" string="true">x y{c}parameter>\n{c}invoke>'
)

FORMS: Final = {
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
    "smollm 3, code": '<code>\nadd(a=1, b="x y")\n</code>',
    "sarashina": "<|tool_calls|>[{'name': 'add', 'arguments': {'a': 1, 'b': 'x y'}}]",
    "apriel": f"Here are my reasoning steps:\nhm[BEGIN FINAL RESPONSE]<tool_calls>[{_JSON}]</tool_calls>\n<|end|>",
    "step-audio": '<tool_call>function\nadd\n{"a": 1, "b": "x y"}</tool_call>',
    "hyperclova": f" -> tool/function_call\n[{_JSON}]<|im_end|>",
    "granite, lines": 'add(a=1, b="x y")\n',
    "rwkv": f"```json\n{_JSON}\n```",
    # DeepSeek's tokens with other things for the low bars.
    "deepseek 3, blanks": "<｜tool calls begin｜><｜tool call begin｜>function<｜tool sep｜>add\n"
    f"```json\n{_ARGUMENTS}\n```<｜tool call end｜><｜tool calls end｜>",
    "deepseek 3.1, escapes": f"<｜tool\\_calls\\_begin｜><｜tool\\_call\\_begin｜>add<｜tool\\_sep｜>{_ARGUMENTS}"
    "<｜tool\\_call\\_end｜><｜tool\\_calls\\_end｜>",
    "deepseek 3.1, underscores": f"<｜tool_calls_begin｜><｜tool_call_begin｜>add<｜tool_sep｜>{_ARGUMENTS}"
    "<｜tool_call_end｜><｜tool_calls_end｜>",
    "deepseek 3, bars of ascii": "<|tool_calls_begin|><|tool_call_begin|>function=add<|tool_sep|>"
    f"{_ARGUMENTS}<|tool_call_end|><|tool_calls_end|>",
    "deepseek 3, another begin": "<｜tool▁calls｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n"
    f"```json\n{_ARGUMENTS}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "deepseek 4, arguments in one": '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="add">\n<｜DSML｜parameter '
    f'name="arguments" string="false">{_ARGUMENTS}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    # Tokens with what they end in.
    **{
        f"hunyuan, {word}": _SUFFIXED.replace(">", f":{word}>").replace("%", "add")
        for word in ("opensource", "6124c78e", "x")
    },
    "hunyuan, break": "<tool_calls:x><tool_call:x>add<tool_sep:x><arg_key:x>a</arg_key:x>\n<arg_value:x>1</arg_value:x>"
    "<arg_key:x>b</arg_key:x><arg_value:x>x y</arg_value:x></tool_call:x></tool_calls:x>",
    # MiniCPM's tags without blanks.
    "minicpm 5, collapsed": '<functionname="add"><paramname="a">1</param><paramname="b">x y</param></function>',
    "minicpm 5, glyphs": '\u0120\u0120<function\u0120name="add">\u010a<param\u0120name="a">1</param>'
    '<param\u0120name="b">x\u0120y</param></function>',
    "minicpm 5, properties": f'<function name="add"><param name="properties">{_ARGUMENTS}</param></function>',
    # Headers whose beginning the template wrote.
    "harmony, recipient first": " to=functions.add<|channel|>commentary <|constrain|>json<|message|>"
    f"{_ARGUMENTS}<|call|>",
    "harmony, next to it": f"<|channel|>commentary to=functions.add<|constrain|>json<|message|>{_ARGUMENTS}<|call|>",
    "harmony, in the role": f"<|start|>assistant to=functions.add<|channel|>commentary<|message|>{_ARGUMENTS}<|call|>",
    "harmony, no tokens": f"to=functions.add json{_ARGUMENTS}",
    "response template": "<|channel|>analysis<|message|>hm<|end|><|start|>assistant to=add<|channel|>analysis "
    f"<|constrain|>xml<|message|>{_RFL}<|call|>",
    "response template, begun": f" to=add<|channel|>analysis<|message|>{_RFL}<|end|>",
    "muse, begun": ' to=add.add<|message|><atem:function_calls>\n<atem:invoke name="add">\n<atem:parameter name="a">1'
    '</atem:parameter>\n<atem:parameter name="b">x y</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|>',
    # Between markers that mean nothing.
    "kimi_k3, noise": '<|open|>tools<|sep|>\n so <|open|>call index="1" tool="add"<|sep|>.'
    f"{_XTML}<|close|>call<|sep|> and <|close|>tools<|sep|><|close|>message<|sep|>",
    "kimi_k3, type first": '<|open|>tools<|sep|><|open|>call tool="add" index="1"<|sep|><|open|>argument type="number" '
    'key="a"<|sep|>1<|close|>argument<|sep|><|open|>argument key="b" type="string"<|sep|>x y<|close|>argument<|sep|>'
    "<|close|>call<|sep|><|close|>tools<|sep|>",
    # Forms that prompts teach.
    "react": f"Action: add\nAction Input: {_ARGUMENTS}\nObservation: 3\nThought: done",
    "tool_use": f"<tool_use>\n<name>add</name>\n<arguments>{_ARGUMENTS}</arguments>\n</tool_use>",
    "tool_use, elements": "<tool_use><name>add</name><input><a>1</a><b>x y</b></input></tool_use>",
    "tool_use, parameters": '<tool_use><name>add</name><parameter name="a">1</parameter><parameter name="b">x y'
    "</parameter></tool_use>",
    "elements in tool_call": f"<tool_call>\n<name>add</name>\n<arguments>{_ARGUMENTS}</arguments>\n</tool_call>",
    "claude, first": "<function_calls>\n<invoke>\n<tool_name>add</tool_name>\n<parameters>\n<a>1</a>\n<b>x y</b>\n"
    "</parameters>\n</invoke>\n</function_calls>",
    "tool_request": f"[TOOL_REQUEST]{_JSON}[END_TOOL_REQUEST]",
    "functioncall": f"<functioncall> {_JSON} </functioncall>",
    "tools": f"<tools>\n{_JSON}\n</tools>",
    "qwen-agent": f"\u273fFUNCTION\u273f: add\n\u273fARGS\u273f: {_ARGUMENTS}\n\u273fRESULT\u273f: 3\n"
    "\u273fRETURN\u273f: It is 3.",
    "internlm, names": f"<|action_start|><|action_name|>add<|action_args|>{_ARGUMENTS}<|action_end|>",
    "cwm": f"<tool: add>\n{_ARGUMENTS}\n</tool>",
    "cwm, label": f"<tool: function>\nadd {_ARGUMENTS}\n</tool>",
    "langchain": '```json\n{"action": "add", "action_input": {"a": 1, "b": "x y"}}\n```',
    "functionary, both": f">>>all\n>>>add\n{_ARGUMENTS}",
    # Other families' ways after a name in <tool_call>.
    "glm, python": '<tool_call>add(a=1, b="x y")</tool_call>',
    "glm, object in brackets": f"<tool_call>add({_ARGUMENTS})</tool_call>",
    "glm, fence": f"<tool_call>add\n```json\n{_ARGUMENTS}\n```</tool_call>",
    "glm, elements": "<tool_call>add\n<a>1</a>\n<b>x y</b>\n</tool_call>",
    "gemma 3, print": '```tool_code\nprint(default_api.add(a=1, b="x y"))\n```',
    "python, comma after": '[\n  add(a=1, b="x y"),\n]',
    # Words without the special tokens, which a server removed.
    "deepseek 3, no tokens": f"functionadd\n```json\n{_ARGUMENTS}\n```",
    "kimi_k2, no tokens": f"functions.add:0{_ARGUMENTS}",
    "apertus, no tokens": f'[{{"add": {_ARGUMENTS}}}]',
    "needle": '<tool_call>[{"name":"add","arguments":{"a":1,"b":"x y"}}]</tool_call><|im_end|>',
}

_QWEN = (
    "<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n",
    "\n</parameter>\n</function>\n</tool_call>",
)
_GLM = (
    "<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n<arg_key>b</arg_key>\n<arg_value>",
    "</arg_value>\n</tool_call>",
)
_GEMMA = '<|tool_call>call:add{a:1,b:<|"|>', '<|"|>}<tool_call|>'

EMPTY: Final = {
    "needle": "<tool_call>[]</tool_call><|im_end|>",
    "mistral, words before": "It is fine. [TOOL_CALLS] []",
    "lfm2": "<|tool_call_start|>[]<|tool_call_end|>",
}
"""Lists of no calls, as Needle writes one where no tool fits."""

MARKED: dict[str, str] = {
    "qwen, the end of a block": "see </tool_call> here".join(_QWEN),
    "qwen, the end of a value": "see </parameter> here".join(_QWEN),
    "qwen, an example of a call": "see\n<function=f>\n<parameter=q>\nx\n</parameter>\n</function>\nhere".join(_QWEN),
    "qwen, a tag of an argument": "see\n<parameter=a>\n3".join(_QWEN),
    "qwen, the end of a call and words": "x\n</parameter>\n</function>\n</tool_call> y".join(_QWEN),
    "qwen, line breaks": "\nx\n".join(_QWEN),
    "glm, the end of a block": "see </tool_call> here".join(_GLM),
    "glm, the end of a value twice": "x</arg_value>".join(_GLM),
    "glm, line breaks": "\nx\n".join(_GLM),
    "glm, a key twice": "x</arg_value>\n<arg_key>b</arg_key>\n<arg_value>y".join(_GLM),
    "glm, the end of the value missing": _GLM[0] + "x</tool_call>",
    "gemma, its marks": 'see <|"|> and <tool_call|> and <channel|> here'.join(_GEMMA),
    "gemma, the end of a call and words": 'x<|"|>}<tool_call|> y'.join(_GEMMA),
    "harmony, a thought": "<|channel|>analysis<|message|>To end: <|call|> or <|end|>.<|end|><|start|>assistant"
    '<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a":1,"b":"x <|call|> y"}<|call|>',
    "a name first, two calls": 'add[ARGS]{"a":1,"b":"x"}[TOOL_CALLS]add[ARGS]{"a":2,"b":"y"}',
    "a name first, words": 'add {"a":1,"b":"x"} and then words',
    "a name that is cut": "<tool_call>add",
}
"""Values that hold markers, and calls that begin or end without theirs."""

CALLS = {
    f"{kind}/{name}": ("read_model_output", compact({"text": text, "tools": [ADD], "dialect": "auto"}))
    for kind, texts in (("form", FORMS), ("marked", MARKED), ("empty", EMPTY))
    for name, text in texts.items()
}
