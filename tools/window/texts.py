"""Texts of many kinds for random runs: languages, code, data, digits, emoji; made of words of our own."""

import base64
import json
import random
from typing import Final

_WORDS: Final = {
    "english": "the city council met on Thursday to discuss a proposed change of the bus network several residents "
    "complained that nobody had asked them before and an engineer explained why bridges need inspection",
    "german": "die Versicherungsgesellschaft hat gestern mitgeteilt dass Rechnungen für das vergangene Jahr noch nicht "
    "überwiesen wurden Straßenbahnhaltestelle Öffnungszeiten größer Donaudampfschifffahrt trotzdem zwölf",
    "chinese": "今天 天气 很好 我们 去 公园 散步 北京 是 首都 请 把 这份 文件 翻译 成 英文 机器 学习 模型 需要 数据",
    "russian": "сегодня хорошая погода пожалуйста отправьте отчёт завтра утром железнодорожный вокзал закрыт",
    "arabic": "الطقس جميل اليوم وسنذهب في نزهة إلى الحديقة من فضلك أرسل التقرير",
    "code": "def getUserAccountById(self, user_id: int) -> None: \n    return self._cache.get(user_id) or {}\n "
    "for (const x of items) { total += x?.price ?? 0; } \n\t#include <stdio.h>\n SELECT * FROM orders WHERE id=42;",
    "shouting": "THIS IS A WARNING DO NOT DELETE PRODUCTION DATABASE IMMEDIATELY HTTPSERVER ERRNO_EACCES",
    "emoji": "😀 👍🏽 🇩🇪 👨‍👩‍👧‍👦 🔥 ✨ 🎉 ❤️ 🚀 🧪 ok",
    "names": "Müller Nguyễn Kowalczyk Papadopoulos Venkataraman Szczepański Guðmundsdóttir Llanfairpwllgwyngyll",
}
KINDS: Final = (*_WORDS, "digits", "hex", "base64", "json", "letters", "punctuation", "blanks", "mixed")


def text_of(chance: random.Random, words: int) -> str:
    """Return a text of about that many words, of one kind or mixed."""
    return _text(chance, chance.choice(KINDS), max(1, words))


def _text(chance: random.Random, kind: str, words: int) -> str:
    match kind:
        case "digits":
            return "".join(chance.choice("0123456789 .,") for _ in range(words * 4))
        case "hex":
            return chance.randbytes(words * 2).hex()
        case "base64":
            return base64.b64encode(chance.randbytes(words * 3)).decode()
        case "json":
            rows = [{"id": chance.randrange(10**9), "price": chance.random(), "on": "2031-05-17T12:00:00Z"}]
            return json.dumps([{**rows[0], "name": f"item {number}"} for number in range(words // 12 + 1)])
        case "letters":
            return "".join(chance.choice("abcdefghijklmnopqrstuvwxyz ABCDEFGH") for _ in range(words * 4))
        case "punctuation":
            return "".join(chance.choice("!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~ \n") for _ in range(words * 3))
        case "blanks":
            return "".join(chance.choice([" ", "  ", "\n", "\t", "    ", "x"]) for _ in range(words * 2))
        case "mixed":
            return "\n".join(_text(chance, chance.choice(KINDS[:-1]), words // 4 + 1) for _ in range(4))
        case _:
            source = _WORDS[kind].split(" ")
            return " ".join(chance.choice(source) for _ in range(words))
