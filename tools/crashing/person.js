/**
 * Stands in the page before its own script: passes boundaries around what the page stores, and does what the person at
 * the page does, by its buttons and fields. A boundary is a request that holds the page until it is answered; at the one
 * where the page is killed no answer comes.
 */
"use strict";

function ask(path, body) {
  const request = new XMLHttpRequest();
  request.open("POST", path, false);
  request.send(JSON.stringify(body ?? null));
  return JSON.parse(request.responseText);
}

const reach = () => ask("/point/reach");

// ---------------------------------------------------------------------------------------------- what is stored

const { put } = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function (row) {
  const fault = reach();
  if (fault === "full") throw new DOMException("no room", "QuotaExceededError");
  const request = put.call(this, row);
  if (fault === "abort") this.transaction.abort();
  reach();
  if (this.name === "steps") {
    this.transaction.rows ??= [];
    this.transaction.rows.push(...row.lines);
  }
  return request;
};

const { transaction } = IDBDatabase.prototype;
IDBDatabase.prototype.transaction = function (stores, mode, options) {
  const change = transaction.call(this, stores, mode, options);
  if (mode !== "readwrite") return change;
  // Somebody clears the storage just before: nothing that the page has stored so far is there any more.
  if (ask("/point/cleared")) for (const name of change.objectStoreNames) change.objectStore(name).clear();
  change.addEventListener("complete", () => {
    reach();
    ask("/point/kept", change.rows ?? []);
    reach();
  });
  return change;
};

// --------------------------------------------------------------------------------------------------- the person

const { settings, query } = ask("/person/begins");
localStorage["purestep-playground"] ??= JSON.stringify(settings);

const all = (selector) => [...document.querySelectorAll(selector)];
const button = (name, within = document) =>
  [...within.querySelectorAll("button")].find((each) => each.textContent.trim() === name && !each.disabled);

/** Writes as a person does: the page hears of it. */
function write(field, text) {
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

const numberIn = (element) => Number(/"number":\s*(\d+)/.exec(element.querySelector("pre, textarea").textContent)[1]);

/** Answers about one call, as the same person would after every restart. */
function answerCall(call) {
  const isUnknown = call.textContent.includes("may have run already");
  const approve = button("Approve and run", call);
  if (approve.getAttribute("aria-disabled") === "true") return;
  const isApproved = ask("/person/approves", { number: numberIn(call), isUnknown });
  (isApproved ? approve : button("Refuse", call)).click();
}

function playTool(card) {
  const tool = card.querySelector("h3 code").textContent;
  const key = card.querySelector(".tool-key code").textContent;
  write(card.querySelector("textarea"), ask("/person/acts", { tool, key, number: numberIn(card) }));
  button("Return this result", card).click();
}

function playModel(card) {
  write(card.querySelector("textarea"), ask("/person/says"));
  button("Say this", card).click();
}

function answerStorage(card) {
  ask("/person/makes-room");
  button("Try again", card).click();
}

/** Gives what answers a card; undefined for one that asks nothing. */
function answerTo(card) {
  if (card.querySelector(".tool-key")) return playTool;
  if (button("Say this", card)) return playModel;
  if (button("Go on without storing", card)) return answerStorage;
  return undefined;
}

const answered = new WeakSet();

/** Answers what the run waits for; tells whether there was anything. */
function answerAll() {
  const calls = all(".thread .approve-call[data-open]");
  calls.forEach(answerCall);
  const cards = all(".thread .card").filter(answerTo);
  for (const card of cards.filter((each) => !answered.has(each))) {
    answered.add(card);
    answerTo(card)(card);
  }
  return calls.length + cards.length > 0;
}

/** Whether a run is stored that the page will offer; asked for before the page is, so that none is begun beside it. */
async function isRunStored() {
  const request = indexedDB.open("purestep-playground");
  const database = await new Promise((resolve) => {
    request.onupgradeneeded = () => request.transaction.abort();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(undefined);
  });
  if (!database) return false;
  const counting = transaction.call(database, "steps", "readonly").objectStore("steps").count();
  const count = await new Promise((resolve) => (counting.onsuccess = () => resolve(counting.result)));
  database.close();
  return count > 0;
}

/** The log as the page gives it to the person who downloads it. */
let downloaded;
const { createObjectURL } = URL;
URL.createObjectURL = (blob) => {
  downloaded = blob.text();
  return createObjectURL(blob);
};

let isBegun = false;

async function act(isStored) {
  if (answerAll()) return;
  if (!document.querySelector(".chat-head")) return begin(isStored);
  if (button("Stop")) return;
  const onward = button("Continue");
  if (onward) onward.click();
  else await leave();
}

/** Takes the run up that the page offers, or asks the question where none is stored. */
async function begin(isStored) {
  const offer = document.querySelector("[aria-label='A run from an earlier visit']");
  const taken = offer && (button("Resume", offer) ?? button("Open", offer));
  if (isBegun || !(isStored ? taken : document.querySelector(".pill.tone-accepted"))) return;
  isBegun = true;
  if (isStored) return taken.click();
  write(document.querySelector("#question"), query);
  await pause();
  document.querySelector("button[aria-label=Send]").click();
}

const pause = () => new Promise((done) => setTimeout(done, 40));

/** At the end: the log is downloaded, and the head that the page shows is written down. */
async function leave() {
  button("Log", document.querySelector("#trail"))?.click();
  await pause();
  const head = document.querySelector(".head-card code")?.textContent ?? "";
  if (head.length !== 64 || button("Continue") || button("Stop")) return;
  button("Download")?.click();
  if (downloaded) ask("/person/leaves", { log: await downloaded, head });
}

addEventListener("DOMContentLoaded", async () => {
  const isStored = await isRunStored();
  for (;;) {
    await act(isStored);
    await pause();
  }
});
