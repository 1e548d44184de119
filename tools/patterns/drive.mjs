// Drives patterns with runs as growth.py does: node drive.mjs < JSON; prints those that are slow, as JSON.
import { text } from "node:stream/consumers";

const { patterns, sizes, telling_ms, tries, power: mostPower } = JSON.parse(await text(process.stdin));
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
  for (const chars of sizes) {
    let spent = spentMs(pattern, textOf(chars));
    if (spent >= telling_ms && before && exponent(chars / before, spent, spentBefore) > mostPower) {
      for (let tried = 0; tried < tries; tried++) spent = Math.min(spent, spentMs(pattern, textOf(chars)));
      spentBefore = Infinity;
      for (let tried = 0; tried < tries; tried++) spentBefore = Math.min(spentBefore, spentMs(pattern, textOf(before)));
      const power = exponent(chars / before, spent, spentBefore);
      if (spent >= telling_ms && power > mostPower) return { chars, power: Math.round(10 * power) / 10 };
    }
    [before, spentBefore] = [chars, spent];
  }
  return undefined;
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
