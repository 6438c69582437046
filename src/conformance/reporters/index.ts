import type { Report } from '../engine/model.ts';
import { renderHtml } from './html/page.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderTerminal, type TerminalOptions } from './terminal/terminal.ts';

interface Reporter {
  /** The extension of a file that holds it. */
  readonly extension: string;
  readonly mediaType: string;
  /** The options are for the terminal alone. */
  render(report: Report, options: TerminalOptions): string;
}

/** Every form that a report can take. */
export const REPORTERS = {
  terminal: { extension: 'txt', mediaType: 'text/plain', render: renderTerminal },
  json: { extension: 'json', mediaType: 'application/json', render: renderJson },
  junit: { extension: 'xml', mediaType: 'application/xml', render: renderJunit },
  markdown: { extension: 'md', mediaType: 'text/markdown', render: renderMarkdown },
  html: { extension: 'html', mediaType: 'text/html', render: renderHtml },
} as const satisfies Readonly<Record<string, Reporter>>;
