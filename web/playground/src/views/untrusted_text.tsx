/** Text from outside: of a model, a tool, a definition or a log. */
import { sanitize } from "../../../src/sanitize.js";

/** Shows it with hidden characters as escapes, and apart from the direction of the text around it. */
export function UntrustedText({ text }: { text: string }) {
  return <bdi>{sanitize(text)}</bdi>;
}
