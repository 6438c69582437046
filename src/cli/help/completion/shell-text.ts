import type { CompletionValue } from './completion-tree.ts';

/** A word for bash and zsh, in single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A summary as one short line; nothing in it means anything to a shell once it is quoted. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** What follows an option, as the scripts write it: words to choose from, or a mark. */
export function valueText(value: CompletionValue): string {
  switch (value.kind) {
    case 'none':
      return '';
    case 'choice':
      return value.choices.join(' ');
    case 'file':
      return '<file>';
    case 'at_file':
      return '<@file>';
    case 'anything':
      return '<anything>';
    case 'asked':
      return `<ask ${value.list}>`;
  }
}
