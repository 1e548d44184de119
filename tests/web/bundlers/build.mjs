// Builds a program for production as webpack does without configuration: node build.mjs PROJECT PROGRAM OUTPUT.
import { resolve } from "node:path";
import webpack from "webpack";

const [project, program, output] = process.argv.slice(2).map((path) => resolve(path));
const compiler = webpack({ mode: "production", context: project, entry: program, output: { path: output } });
compiler.run((error, stats) => {
  if (error || stats.hasErrors()) {
    console.error(error ?? stats.toString("errors-only"));
    process.exitCode = 1;
  }
});
