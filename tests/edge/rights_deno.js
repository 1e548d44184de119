// Tries what the Deno host has no right to; prints {"what": the name of the error, or "possible"} for each.
const FILE = new URL("../../README.md", import.meta.url);

const attempts = {
  read: () => Deno.readTextFile(FILE),
  env: () => Deno.env.get("HOME"),
  all_env: () => Deno.env.toObject(),
  sys: () => Deno.hostname(),
  run: () => new Deno.Command("true").output(),
  write: () => Deno.writeTextFile(new URL("made_by_a_test", import.meta.url), ""),
  ffi: () => Deno.dlopen("libc.so.6", {}),
  net: () => Deno.connect({ hostname: "127.0.0.1", port: 1 }),
  listen: () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
  import: () => import(FILE.href.replace("README.md", "web/dist/index.js")),
  config: () => Deno.readTextFile(Deno.args[0]),
};

const results = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    results[name] = "possible";
  } catch (error) {
    results[name] = error.name;
  }
}
console.log(JSON.stringify(results));
