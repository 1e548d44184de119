/** Statements: what is said of one run, as JSON in one form only. */
import { MOST_STATEMENT_BYTES, ReceiptError } from "./receipt_errors.mjs";

const FORMAT = "purestep-statement-1";

/** Gives the statement that JSON holds, its members as they are named there. Throws `bad_receipt`, `unsupported_receipt`. */
export function readStatement(bytes) {
  if (bytes.length > MOST_STATEMENT_BYTES)
    throw new ReceiptError("bad_receipt", `expected a statement of at most ${MOST_STATEMENT_BYTES} bytes`);
  const [text, found] = parsed(bytes);
  if (typeof found?.format !== "string") throw notJson();
  if (found.format !== FORMAT)
    throw new ReceiptError("unsupported_receipt", `expected a statement of the format ${FORMAT}; got another one`);
  const statement = statementOf(found);
  if (JSON.stringify(statement) !== text)
    throw new ReceiptError("bad_receipt", "its statement is written in another way than purestep receipt writes it");
  return statement;
}

function parsed(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return [text, JSON.parse(text)];
  } catch {
    throw notJson();
  }
}

/** Gives the members that a statement has, in order; throws where one is not what it should be. */
function statementOf(found) {
  return {
    format: FORMAT,
    run_id: text(found.run_id, 1),
    lines: count(found.lines, 1),
    head: digest(found.head),
    software: softwareOf(object(found.software)),
    definitions: list(found.definitions).map((each) => (each === null ? null : digest(each))),
    policies: list(found.policies).map(policyOf),
    phase: text(found.phase),
    acts: list(found.acts).map(actOf),
    acts_left_out: count(found.acts_left_out, 0),
    hidden: hiddenOf(object(found.hidden)),
    hidden_for_good: count(found.hidden_for_good, 0),
  };
}

function softwareOf({ version, core, policies, formats }) {
  if ([...text(version, 1)].length > 64) throw notJson();
  return { version, core: digest(core), policies: digest(policies), formats: digest(formats) };
}

function policyOf(found) {
  const { use, version } = object(found);
  return { use: text(use), version: integer(version) };
}

function actOf(found) {
  const { call_id, tool, status, line, path } = object(found);
  return {
    call_id: text(call_id),
    tool: text(tool),
    status: text(status),
    ...(line !== undefined && { line: integer(line) }),
    ...(path !== undefined && list(path).length > 0 && { path: path.map((each) => text(each)) }),
  };
}

const hiddenOf = (found) => {
  for (const each of Object.values(found)) integer(each);
  return found;
};

const checked = (value, isOne) => {
  if (!isOne) throw notJson();
  return value;
};
const text = (value, least = 0) => checked(value, typeof value === "string" && value.length >= least);
const digest = (value) => checked(value, typeof value === "string" && /^[0-9a-f]{64}$/.test(value));
const integer = (value) => checked(value, Number.isSafeInteger(value));
const count = (value, least) => checked(value, Number.isSafeInteger(value) && value >= least);
const object = (value) => checked(value, value !== null && typeof value === "object" && !Array.isArray(value));
const list = (value) => checked(value, Array.isArray(value));

const notJson = () => new ReceiptError("bad_receipt", "its statement is not the JSON that purestep receipt writes");
