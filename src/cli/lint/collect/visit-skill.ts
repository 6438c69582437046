import { MEDIA_TYPE } from '../../../protocol/constants.ts';
import { isJsonObject } from '../../../protocol/json.ts';
import { displayText } from '../../../protocol/text.ts';
import { isSameOrigin, urlProblem } from '../../../protocol/urls.ts';
import type { LintDocument } from '../lint-document.ts';
import { SKILL_LIMIT } from './limits.ts';
import { readText } from './read-answer.ts';
import { isPage } from './read-json.ts';
import type { Search } from './search.ts';

const ACCEPT = 'text/markdown, text/plain;q=0.9';

/**
 * The skill file: the one that the metadata names, where it is on an origin of the service; else `/auth.md`. One of
 * somebody else is not asked for.
 */
export async function visitSkill(search: Search): Promise<void> {
  const { visitor, report, service, documents } = search;
  const named = documents.map(skillOf).find((skill) => skill !== undefined);
  const homes = [service, ...documents.flatMap(({ url }) => url ?? [])];
  if (named !== undefined) {
    if (urlProblem(named) !== undefined) return;
    if (!homes.some((home) => isSameOrigin(named, home))) return;
  }
  const url = named ?? `${new URL(service).origin}/auth.md`;
  const visit = await visitor.get(url, ACCEPT, SKILL_LIMIT);
  const { learnt, trouble, text, mediaType = '' } = readText(visit, url);
  const isHtml = text !== undefined && (mediaType === 'text/html' || isPage(text));
  visitor.note(url, visit, isHtml ? 'an HTML page' : learnt);
  if (isHtml) {
    // A single-page app answers so to every URL: nothing says that there should be a skill file.
    if (named === undefined) return;
    report({
      rule: 'skill-not-markdown',
      document: url,
      message: 'It is an HTML page.',
      instead: `Content-Type: ${MEDIA_TYPE.markdown}`,
    });
  } else if (text === undefined) {
    if (named === undefined) return;
    report(trouble ?? { rule: 'document-unreachable', document: url, message: 'It answers 404.' });
  } else {
    documents.push({ kind: 'skill', name: url, file: undefined, url, text, json: undefined });
    if (mediaType.startsWith('text/')) return;
    report({
      rule: 'skill-not-markdown',
      document: url,
      message: `It is served as ${displayText(mediaType, 80) || 'nothing in particular'}.`,
      instead: `Content-Type: ${MEDIA_TYPE.markdown}`,
    });
  }
}

function skillOf({ json }: LintDocument): string | undefined {
  const block = json?.['agent_auth'];
  const skill = isJsonObject(block) ? block['skill'] : undefined;
  return typeof skill === 'string' ? skill : undefined;
}
