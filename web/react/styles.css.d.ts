/** Styles, imported for their effect: TypeScript looks up such imports too. */
export {};
