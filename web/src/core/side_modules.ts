/** The paths under which Python finds the two extension modules; purestep_calls.py of the bundle names the same. */
const SITE = "/lib/python3.14/site-packages";

export const SIDE_MODULES: Readonly<Record<string, string>> = {
  "msgspec.wasm": `${SITE}/msgspec/_core.cpython-314-wasm32-emscripten.so`,
  "pydantic_core.wasm": `${SITE}/pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so`,
};
