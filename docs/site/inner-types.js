/**
 * Where types are declared that a page names and does not describe, and why. TypeScript knows them all the same:
 * they are reached through the public type that mentions them.
 */
const INNER = {
  'conformance/': 'what scenarios of the suite are written with',
  'exchanges/': 'how exchanges are kept',
  'kits/': 'what a test kit is made of',
  'mock/': 'parts of the mocks, for faults of your own (docs/own-faults.md)',
  'mock-provider/': 'the same of the provider',
  'mock-service/': 'the same of the service',
  'protocol/schemas/': 'schemas of which the plain type is public',
  'protocol/wire-schemas': 'the same, by name',
  'recognise/': 'what a discovery shows of the documents (docs/json.md)',
  'runtime/proxy': 'the variables of an environment',
};

/** Whether a warning is about such a type, or about a member that needs no sentence. @param {string} message */
export function isInner(message) {
  const [, file] = /, defined in \S*dist\/types\/(\S+), is referenced by /.exec(message) ?? [];
  // A member of a literal is told of by the sentence of what holds it.
  if (/\.__type\.\S+ \(\w+\), defined .* does not have any documentation/.test(message)) return true;
  return file !== undefined && Object.keys(INNER).some((place) => file.startsWith(place));
}
