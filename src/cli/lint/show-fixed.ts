import { renderJsonValue } from '../../conformance/reporters/json.ts';
import { kindOf } from '../../discovery/document.ts';
import { displayText } from '../../protocol/text.ts';
import type { Context } from '../shell/context.ts';
import type { LintDocument } from './finding.ts';
import type { Fixed } from './fix.ts';
import { asked, judge } from './judge.ts';
import { findingJson, findingText, type LintRun } from './present.ts';

/**
 * Prints the documents that were fixed, each as an object of its own; where there was nothing to fix, those that
 * are there. What was changed, and what is left to do by hand, goes to stderr.
 */
export function showFixed(context: Context, run: LintRun): void {
  const { documents, fixed, typed } = run;
  const { output } = context;
  const changed = fixed.filter(({ changes }) => changes.length > 0);
  const printable = withFixed(documents, fixed);
  const after = asked(judge(printable, []), run.profile).findings;
  const left = after.filter(({ severity }) => severity !== 'note');
  for (const { document, changes } of changed) {
    output.say(output.style.bold(displayText(document)));
    for (const change of changes)
      output.say(`  ${output.style.green('+')} ${displayText(change)}.`);
  }
  if (changed.length === 0) output.say('There is nothing that can be fixed here.');
  if (left.length > 0) {
    output.say(`Left to do by hand: ${left.length}.`);
    // Without lines: they are not those of the file that was read.
    const unnumbered = printable.map((each) => ({ ...each, file: undefined }));
    const lines = left.flatMap((each) => findingText(output.style, each, unnumbered, '  '));
    for (const line of lines) output.say(line);
  }
  const printed = changed.length > 0 ? changed : fixed;
  output.result({
    schema: 'lintMended',
    json: () => ({
      target: typed,
      documents: fixed.map(({ document, json, changes }) => ({ name: document, changes, json })),
      left: left.map((finding) => findingJson(finding, printable)),
    }),
    human: () => printed.map(({ json }) => renderJsonValue(json).trimEnd()).join('\n'),
  });
}

function withFixed(
  documents: readonly LintDocument[],
  fixed: readonly Fixed[],
): readonly LintDocument[] {
  const isThere = new Set(documents.map(({ name }) => name));
  const begun = fixed.filter(({ document }) => !isThere.has(document));
  const added = begun.map(
    ({ document: name, json }): LintDocument => ({
      kind: kindOf(json) ?? 'server',
      ...{ name, file: undefined, url: name, json, text: JSON.stringify(json, null, 2) },
    }),
  );
  const kept = documents.map((document) => {
    const its = fixed.find((each) => each.document === document.name);
    if (its === undefined) return document;
    return { ...document, json: its.json, text: JSON.stringify(its.json, null, 2) };
  });
  return [...added, ...kept];
}
