/**
 * @typedef {object} Instruction
 * @property {string} name in upper case
 * @property {Readonly<Record<string, string>>} flags `--from=build` as `from: 'build'`
 * @property {string} rest what follows the flags
 * @property {readonly string[]} words the same as words; of the JSON form its members
 * @property {boolean} isJson
 */

/** Those that `run-steps.js` carries out; another one is an error, not a step that is left out. */
const KNOWN = [
  'FROM',
  'WORKDIR',
  'COPY',
  'RUN',
  'ENV',
  'USER',
  'EXPOSE',
  'HEALTHCHECK',
  'ENTRYPOINT',
  'CMD',
];

/**
 * The instructions of our own Dockerfile. No variables, heredocs or parser directives: it uses none.
 * @param {string} text
 * @returns {readonly Instruction[]}
 */
export function readDockerfile(text) {
  return text
    .replaceAll(/^[ \t]*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(readInstruction);
}

/**
 * @param {string} line
 * @returns {Instruction}
 */
function readInstruction(line) {
  const [, name = '', all = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
  if (!KNOWN.includes(name))
    throw new Error(`The Dockerfile has ${name}, which is not known here.`);
  /** @type {Record<string, string>} */
  const flags = {};
  let rest = all;
  for (
    let flag = /^--([\w-]+)=(\S+)\s*/.exec(rest);
    flag;
    flag = /^--([\w-]+)=(\S+)\s*/.exec(rest)
  ) {
    const [text, key = '', value = ''] = flag;
    flags[key] = value;
    rest = rest.slice(text.length);
  }
  const form = name === 'HEALTHCHECK' ? rest.replace(/^CMD\s+/, '') : rest;
  const isJson = form.startsWith('[');
  const words = isJson ? JSON.parse(form) : form.split(/\s+/);
  return { name, flags, rest: form, words, isJson };
}
