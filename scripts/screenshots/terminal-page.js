const ESCAPE = String.fromCharCode(27);
const CODES = new RegExp(`${ESCAPE}\\[(\\d*)m`);
/** Any other escape code, such as one that moves the cursor. */
const UNKNOWN = new RegExp(`${ESCAPE}\\[[^m]*[A-Za-ln-z]`);

/** What each SGR code starts, as a class, or what it ends. */
const STARTS = new Map([
  [1, 'bold'],
  [2, 'dim'],
  [31, 'red'],
  [32, 'green'],
  [33, 'yellow'],
  [36, 'cyan'],
]);
const ENDS = new Map([
  [22, ['bold', 'dim']],
  [39, ['red', 'green', 'yellow', 'cyan']],
]);

const STYLE = `
  body { margin: 0; background: transparent; }
  pre { box-sizing: border-box; min-width: 1000px; max-width: 1180px; width: max-content; margin: 0; padding: 22px 26px; overflow: hidden;
    border-radius: 10px; background: #14171c; color: #dfe3ea; white-space: pre-wrap;
    overflow-wrap: anywhere; font: 13px/1.5 "DejaVu Sans Mono", monospace; }
  .prompt { color: #8b94a3; } .typed, .bold { font-weight: 700; color: #fff; }
  .dim { color: #8b94a3; } .red { color: #ff7b72; } .green { color: #56d364; }
  .yellow { color: #e3b341; } .cyan { color: #56d4dd; }
`;

/**
 * A page that shows what was typed at a terminal, and what was printed, in its colours.
 *
 * @param {readonly { line: string, output: string }[]} commands
 * @returns {string} HTML
 */
export function terminalPage(commands) {
  const parts = commands.map(
    ({ line, output }) =>
      `<span class="prompt">$ </span><span class="typed">${escaped(line)}</span>\n${coloured(output.trimEnd())}`,
  );
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><pre>${parts.join('\n\n')}</pre>`;
}

/** @param {string} output */
function coloured(output) {
  if (UNKNOWN.test(output))
    throw new Error(`An escape code is not known: ${JSON.stringify(output)}`);
  /** @type {Set<string>} */
  const on = new Set();
  const [first = '', ...pieces] = output.split(CODES);
  let html = escaped(first);
  for (let at = 0; at < pieces.length; at += 2) {
    const code = Number(pieces[at]);
    const start = STARTS.get(code);
    const ends = code === 0 ? [...on] : ENDS.get(code);
    if (start !== undefined) on.add(start);
    else if (ends !== undefined) for (const end of ends) on.delete(end);
    else throw new Error(`The colour ${code} is not known.`);
    html += `<span class="${[...on].join(' ')}">${escaped(pieces[at + 1] ?? '')}</span>`;
  }
  return html;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
