"""Markers that mean nothing where they stand: a server or a template should have taken them away."""

from typing import Final

from .openers import BARRED, ENDS, KEYED, KIMI_ENDS

DROPPED: Final = (
    "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|endoftext|>", "<|role_end|>", "<end_of_turn>", "<turn|>",
    "<|end▁of▁sentence|>", "<｜end▁of▁sentence｜>", "<|message_sep|>", "<|end_message|>",
    "</tool_call>", "</tool_calls>", "</TOOLCALL>", "</minimax:tool_call>", "</seed:tool_call>", "<tool_call|>",
    "<end_function_call>", "<|tool_call_end|>", *KIMI_ENDS, "[/TOOL_CALLS]", "<|python_end|>",
    "<|START_TEXT|>", "<|END_TEXT|>", "<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|END_ACTION|>", "<|tools_suffix|>",
    *(f"<{bar}tool▁{part}{bar}>" for bar in ("｜", "|") for part in (
        "calls▁end", "call▁end", "outputs▁end", "output▁end")),
    "<｜tool_calls_end｜>", "<｜tool_call_end｜>",
    "<|tool_calls|>", "<|calls|>", "<|flush|>", "<ifm|tool_calls>", "</ifm|tool_calls>", "<|END_OF_TURN_TOKEN|>",
    "<|plamo:begin_tool_requests:plamo|>", "<|plamo:end_tool_requests:plamo|>", "<|plamo:tag|>", "<|end_of_msg|>",
    "<|content_text|>", "<|content_model_end_sampling|>", "<|tool_call:end|>",
    "[|endofturn|]", "<|endofturn|>", "-> tool/function_call", "[END FINAL RESPONSE]", "<|action_end|>",
    *(closer for opener in BARRED for closer in opener.closers),
    *ENDS, "<|message|>", "<|constrain|>", "<|eom|>", "to=user<|message|>",
)  # fmt: skip

CLOSING: Final = (
    "</s>", "</function>", "</function_calls>", "</invoke>", *(closer for opener in KEYED for closer in opener.closers),
)  # fmt: skip
"""Closing tags that mean nothing behind a call, and may be anything elsewhere."""
