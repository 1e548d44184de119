/// <reference types="vite/client" />

/** Made by sandbox_code.ts. */
declare module "virtual:sandbox-code" {
  const code: string;
  export default code;
}
