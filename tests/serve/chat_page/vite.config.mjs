export default { base: "./", logLevel: "warn", oxc: { jsx: { runtime: "automatic" } }, build: { target: "es2022" } };
