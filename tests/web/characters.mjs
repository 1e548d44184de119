// Answers requests on stdin, one JSON object a line: the first and the last characters of a text, and whether it has more.
import { createInterface } from "node:readline";
import { firstCharacters, hasMoreCharacters, lastCharacters } from "../../web/dist/characters.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { text, most } = JSON.parse(line);
  console.log(JSON.stringify([firstCharacters(text, most), lastCharacters(text, most), hasMoreCharacters(text, most)]));
}
