"""The families of models and the forms in which they write calls and are sent results, as data.

Sources: the chat templates of the models.
"""

from typing import Final

from purestep.dialects import Form

_RESPONSE: Final = ("<tool_response>\n", "\n</tool_response>")
_JSON_BEGIN: Final = '{"name": "{name}", "arguments": '


class Family(Form, frozen=True, kw_only=True):
    """A family: its dialect's name, whose models they are, and the form of their calls."""

    name: str
    models: str


def _listed(name: str, models: str, begin: str, end: str, result: tuple[str, str] | None = None) -> Family:
    """Return a family that writes a JSON list of calls between two markers."""
    return Family(
        name=name, models=models, open=begin, begin=_JSON_BEGIN, end="}", between=", ", close=end, result=result
    )


FAMILIES: Final = (
    Family(
        name="hermes_json",
        models="Hermes 2 and 3, Qwen 2.5 and 3, SmolLM 3, Granite 4",
        begin="<tool_call>\n" + _JSON_BEGIN,
        end="}\n</tool_call>",
        between="\n",
        result=_RESPONSE,
    ),
    Family(
        name="qwen_xml",
        models="Qwen3-Coder, Qwen 3.5, Nemotron 3, Step 3.5",
        begin="<tool_call>\n<function={name}>\n",
        end="</function>\n</tool_call>",
        between="\n",
        arguments="tags",
        tag=("<parameter={key}>\n", "\n</parameter>\n"),
        result=_RESPONSE,
    ),
    Family(
        name="seed_oss",
        models="Seed-OSS",
        begin="<seed:tool_call>\n<function={name}>\n",
        end="</function>\n</seed:tool_call>",
        between="\n",
        arguments="tags",
        tag=("<parameter={key}>", "</parameter>\n"),
    ),
    Family(
        name="llama3_json", models="Llama 3.1 to 3.3", begin='{"name": "{name}", "parameters": ', end="}", between="; "
    ),
    Family(
        name="pythonic",
        models="Llama 3.2 and 4, OLMo 3",
        open="[",
        begin="{name}(",
        end=")",
        between=", ",
        close="]",
        arguments="python",
    ),
    Family(
        name="lfm2",
        models="LFM 2",
        open="<|tool_call_start|>[",
        begin="{name}(",
        end=")",
        between=", ",
        close="]<|tool_call_end|>",
        arguments="python",
        result=("<|tool_response_start|>", "<|tool_response_end|>"),
    ),
    Family(
        name="mistral",
        models="Mistral, Mixtral, Ministral, Devstral, Magistral",
        begin="[TOOL_CALLS]{name}[ARGS]",
        result=("[TOOL_RESULTS]", "[/TOOL_RESULTS]"),
    ),
    _listed(
        "mistral_json", "Mistral 7B v0.3, Mixtral, Nemo", "[TOOL_CALLS] [", "]", ("[TOOL_RESULTS]", "[/TOOL_RESULTS]")
    ),
    Family(
        name="gemma4",
        models="Gemma 4",
        begin="<|tool_call>call:{name}{",
        end="}<tool_call|>",
        arguments="pairs",
        quote='<|"|>',
        result=("<|tool_response>", "<tool_response|>"),
    ),
    Family(
        name="functiongemma",
        models="FunctionGemma",
        begin="<start_function_call>call:{name}{",
        end="}<end_function_call>",
        arguments="pairs",
        quote="<escape>",
        result=("<start_function_response>", "<end_function_response>"),
    ),
    Family(
        name="gemma3", models="Gemma 2 and 3", open="```json\n", begin=_JSON_BEGIN, end="}", between="\n", close="\n```"
    ),
    Family(
        name="deepseek_v3",
        models="DeepSeek V3 and R1",
        open="<｜tool▁calls▁begin｜>",
        begin="<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n",
        end="\n```<｜tool▁call▁end｜>",
        between="\n",
        close="<｜tool▁calls▁end｜>",
        result=("<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"),
    ),
    Family(
        name="deepseek_v31",
        models="DeepSeek V3.1",
        open="<｜tool▁calls▁begin｜>",
        begin="<｜tool▁call▁begin｜>{name}<｜tool▁sep｜>",
        end="<｜tool▁call▁end｜>",
        close="<｜tool▁calls▁end｜>",
        result=("<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"),
    ),
    Family(
        name="deepseek_dsml",
        models="DeepSeek V3.2 and V4",
        open="<｜DSML｜function_calls>\n",
        begin='<｜DSML｜invoke name="{name}">\n',
        end="</｜DSML｜invoke>",
        between="\n",
        close="\n</｜DSML｜function_calls>",
        arguments="tags",
        tag=('<｜DSML｜parameter name="{key}" string="{string}">', "</｜DSML｜parameter>\n"),
        result=("<function_results>\n<result>", "</result>\n</function_results>"),
    ),
    Family(
        name="harmony",
        models="gpt-oss",
        begin="<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>",
        end="<|call|>",
        between="<|start|>assistant",
    ),
    Family(
        name="glm",
        models="GLM 4.5 and 4.6",
        begin="<tool_call>{name}\n",
        end="</tool_call>",
        between="\n",
        arguments="tags",
        tag=("<arg_key>{key}</arg_key>\n<arg_value>", "</arg_value>\n"),
        result=_RESPONSE,
    ),
    _listed("granite", "Granite 3", "<|tool_call|>[", "]"),
    _listed("phi4", "Phi-4-mini", "functools[", "]"),
    Family(
        name="kimi_k2",
        models="Kimi K2",
        open="<|tool_calls_section_begin|>",
        begin="<|tool_call_begin|>functions.{name}:{index}<|tool_call_argument_begin|>",
        end="<|tool_call_end|>",
        close="<|tool_calls_section_end|>",
    ),
    Family(
        name="minimax",
        models="MiniMax M2",
        open="<minimax:tool_call>\n",
        begin='<invoke name="{name}">\n',
        end="</invoke>",
        between="\n",
        close="\n</minimax:tool_call>",
        arguments="tags",
        tag=('<parameter name="{key}">', "</parameter>\n"),
    ),
    _listed(
        "nemotron_json",
        "Nemotron Nano and Super",
        "<TOOLCALL>[",
        "]</TOOLCALL>",
        ("<TOOL_RESPONSE>", "</TOOL_RESPONSE>"),
    ),
    _listed("jamba", "Jamba, Hunyuan", "<tool_calls>[", "]</tool_calls>"),
    Family(
        name="cohere",
        models="Command R7B and A",
        open="<|START_ACTION|>[",
        begin='{"tool_name": "{name}", "parameters": ',
        end="}",
        between=", ",
        close="]<|END_ACTION|>",
    ),
    Family(
        name="apertus",
        models="Apertus",
        open="<|tools_prefix|>[",
        begin='{"{name}": ',
        end="}",
        between=", ",
        close="]<|tools_suffix|>",
    ),
    _listed("xlam", "xLAM 2", "[", "]"),
    Family(
        name="internlm",
        models="InternLM 2 and 3",
        open="<|action_start|><|plugin|>",
        begin='{"name": "{name}", "parameters": ',
        end="}",
        between="\n",
        close="<|action_end|>",
    ),
    Family(
        name="minicpm5",
        models="MiniCPM",
        begin='<function name="{name}">',
        end="</function>",
        between="\n",
        arguments="tags",
        tag=('<param name="{key}">', "</param>"),
    ),
    Family(
        name="needle",
        models="Needle 2 and 3",
        open="<tool_call>[",
        begin='{"name":"{name}","arguments":',
        end="}",
        between=",",
        close="]</tool_call>",
    ),
    Family(
        name="longcat",
        models="LongCat",
        begin="<longcat_tool_call>{name}\n",
        end="</longcat_tool_call>",
        between="\n",
        arguments="tags",
        tag=("<longcat_arg_key>{key}</longcat_arg_key>\n<longcat_arg_value>", "</longcat_arg_value>\n"),
    ),
    Family(
        name="generic_json", models="any that was taught no form of its own", begin=_JSON_BEGIN, end="}", between="\n"
    ),
)
