let loaded: typeof import('node:crypto') | undefined;

/** node:crypto, loaded when it is first used: every start of the program would wait for an import. */
export function nodeCrypto(): typeof import('node:crypto') {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}
