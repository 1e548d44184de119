// Drives patterns with runs as growth.py does: node drive.mjs < JSON; prints those that are slow, as JSON.
import { text } from "node:stream/consumers";

const { patterns, sizes, tries, power: mostPower } = JSON.parse(await text(process.stdin));
const slow = [];
for (const { place, source, flags, runs } of patterns) {
  const found = firstSlow(source, flags, runs);
  if (found) slow.push({ place, source, ...found });
}
console.log(JSON.stringify(slow));

function firstSlow(source, flags, runs) {
  for (const run of runs) {
    const found = powerOf(new RegExp(source, flags.replace(/[gy]/g, "") + "g"), run);
    if (found) return { run, ...found };
  }
  return undefined;
}

function powerOf(pattern, [lead, unit, tail]) {
  const textOf = (chars) => lead + unit.repeat(Math.floor(chars / unit.length) + 1) + tail;
  let [before, spentBefore] = [0, 0];
  for (const [chars, tellingMs] of sizes) {
    const spent = spentMs(pattern, textOf(chars));
    if (spent >= tellingMs && before && exponent(chars / before, spent, spentBefore) > mostPower) {
      const power = leastPower(pattern, textOf, before, chars, tries);
      // What disturbs the machine is no more of a longer run; what grows goes on growing.
      if (power > mostPower && leastPower(pattern, textOf, chars, 4 * chars, 4) > mostPower)
        return { chars, power: Math.round(10 * power) / 10 };
    }
    [before, spentBefore] = [chars, spent];
  }
  return undefined;
}

/** Gives the power between two lengths, measured in turns, so that what disturbs the machine disturbs both. */
function leastPower(pattern, textOf, before, chars, tries) {
  let [spent, spentBefore] = [Infinity, Infinity];
  for (let tried = 0; tried < tries; tried++) {
    spent = Math.min(spent, spentMs(pattern, textOf(chars)));
    spentBefore = Math.min(spentBefore, spentMs(pattern, textOf(before)));
  }
  return exponent(chars / before, spent, spentBefore);
}

function exponent(longer, spent, before) {
  return Math.log(spent / Math.max(before, 1e-6)) / Math.log(longer);
}

function spentMs(pattern, given) {
  const began = process.cpuUsage();
  for (const _ of given.matchAll(pattern));
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
