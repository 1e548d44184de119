import { defineConfig, loadEnv } from "vite";

export default defineConfig(({ mode }) => {
  const { MODEL_SERVER, MODEL_KEY } = loadEnv(mode, ".", "MODEL_");
  const headers = MODEL_KEY ? { authorization: `Bearer ${MODEL_KEY}` } : {};
  const proxy = { "/v1": { target: MODEL_SERVER, changeOrigin: true, headers } };
  return { server: { proxy }, preview: { proxy } };
});
