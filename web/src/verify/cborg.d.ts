/** The reader of CBOR of `cborg`, which the build puts in a place of its own: pages without a bundler find no package. */
export interface Token {
  type: { name: string };
  value: unknown;
}

export class Tokenizer {
  constructor(data: Uint8Array, options: object);
  done(): boolean;
  next(): Token;
  pos(): number;
}

export function decode(data: Uint8Array, options: object): unknown;
