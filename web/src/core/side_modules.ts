/** The path under which Python finds the extension module; purestep_calls.py of the bundle names the same. */
const SITE = "/lib/python3.14/site-packages";

export const SIDE_MODULES: Readonly<Record<string, string>> = {
  "msgspec.wasm": `${SITE}/msgspec/_core.cpython-314-wasm32-emscripten.so`,
};
