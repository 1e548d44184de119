// Compares a core's answers with the conformance vectors: what the scripts for each host share.

/** Gives {"passed": [name...], "failed": [{"name", "expected", "got"}...]} for the text of files of vectors. */
export function report(core, text) {
  const passed = [];
  const failed = [];
  for (const line of text.split("\n").filter(Boolean)) {
    const { name, function: called, args, output } = JSON.parse(line);
    const got = called in core ? core[called](...args) : `there is no function ${called}`;
    if (got === output) passed.push(name);
    else failed.push({ name, expected: output, got });
  }
  return JSON.stringify({ passed, failed });
}
