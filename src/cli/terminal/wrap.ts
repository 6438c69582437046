import { plain, width } from './table.ts';

/** The word from which on a line is a command, which is pasted whole. */
const COMMAND = /^[\s(]*agent-auth$/;

/**
 * Text for a screen: a line that is too long goes on below, two spaces further right, and no word is cut. What is
 * longer than a line begins at its edge, where a URL may still be whole. A command goes on after a backslash, as a shell reads it.
 */
export function wrap(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => (width(line) > columns ? wrapLine(line, columns) : line))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `;
  const lines: string[] = [];
  let current = '';
  let isCommand = false;
  for (const [word] of line.matchAll(/\s*\S+/g)) {
    const room = columns - (isCommand ? ' \\'.length : 0);
    if (current !== '' && width(current + word) > room) {
      lines.push(isCommand ? `${current} \\` : current);
      const below = word.trimStart();
      current = width(indent + below) > columns ? below : indent + below;
    } else {
      current += word;
    }
    isCommand ||= COMMAND.test(plain(word));
  }
  return [...lines, current].join('\n');
}
