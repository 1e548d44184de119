// For NODE_OPTIONS in tests: most programs run for seconds, and compiling the core's WebAssembly once more, for speed, is
// a third of what they cost.
require("node:v8").setFlagsFromString("--liftoff-only");
